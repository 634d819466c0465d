import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DesktopBridge } from '#main/preload/bridge.ts'
import { buildWhenStale } from '#main/start/build-when-stale.ts'
import { startStandIn, type StandInProcess } from '#test/support/electron-stand-in-process.ts'
import { projectRoot } from '#test/support/source-files.ts'

describe('the built preload', () => {
  const directory = mkdtempSync(join(tmpdir(), 'tessera-preload-'))
  let page: StandInProcess

  beforeAll(async () => {
    await buildWhenStale(() => undefined)
    page = await startStandIn('out/preload/index.cjs', directory)
  }, 180_000)

  afterAll(() => {
    page.kill()
    rmSync(directory, { recursive: true })
  })

  test('requires nothing but Electron: a sandboxed preload could not', () => {
    const built = readFileSync(join(projectRoot, 'out', 'preload', 'index.cjs'), 'utf8')
    expect([...built.matchAll(/require\(["'](.+?)["']\)/g)].map(([, name]) => name)).toEqual([
      'electron',
    ])
    expect(built.length).toBeLessThan(4000)
  })

  test('exposes two functions and nothing else', async () => {
    const exposed = await page.play(({ recorded }) =>
      Object.entries(recorded.exposed).map(([name, api]) => [name, Object.keys(api as object)]),
    )
    expect(exposed).toEqual([['tessera', ['invoke', 'on']]])
  })

  test('sends a request of the contract', async () => {
    const sent = await page.play(async ({ recorded }) => {
      const bridge = recorded.exposed.tessera as DesktopBridge
      await bridge.invoke('experiment:get', { id: 1 })
      return recorded.sentByPreload
    })
    expect(sent).toEqual([['tessera:invoke', 'experiment:get', { id: 1 }]])
  })

  test('does not send anything else', async () => {
    const outcome = await page.play(async ({ recorded }) => {
      const bridge = recorded.exposed.tessera as DesktopBridge
      const before = recorded.sentByPreload.length
      const error = await bridge.invoke('shell:run' as never, null).catch(String)
      return { error, sent: recorded.sentByPreload.length - before }
    })
    expect(outcome).toEqual({ error: 'Error: unknown channel: shell:run', sent: 0 })
  })

  test('hands over the events that were asked for, until told to stop', async () => {
    const received = await page.play(({ recorded, ipcRenderer }) => {
      const bridge = recorded.exposed.tessera as DesktopBridge
      const payloads: unknown[] = []
      const stop = bridge.on('job:event', payload => payloads.push(payload))
      ipcRenderer.emit('tessera:event', { sender: 'secret' }, 'job:event', { runId: 1 })
      ipcRenderer.emit('tessera:event', {}, 'history:changed', null)
      stop()
      ipcRenderer.emit('tessera:event', {}, 'job:event', { runId: 2 })
      return payloads
    })
    expect(received).toEqual([{ runId: 1 }])
  })
})
