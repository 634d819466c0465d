import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { buildWhenStale } from '#main/start/build-when-stale.ts'
import { tessera } from '#test/support/command-line.ts'
import { projectRoot } from '#test/support/source-files.ts'

const timeout = 60_000
let dataDirectory: string
const running: ChildProcess[] = []

beforeAll(async () => {
  await buildWhenStale(() => undefined)
}, 180_000)
beforeEach(() => {
  dataDirectory = mkdtempSync(join(tmpdir(), 'tessera-serve-'))
})
afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL')
  rmSync(dataDirectory, { recursive: true })
})

/** Starts a program of the project that prints an address. */
async function startServer(script: string, args: readonly string[]) {
  const child = spawn(process.execPath, [join(projectRoot, script), ...args], {
    env: { ...process.env, TESSERA_DATA_DIR: dataDirectory, DISPLAY: '', WAYLAND_DISPLAY: '' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.push(child)
  let stderr = ''
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.once('data', (chunk: Buffer) => {
      resolve(chunk.toString().trim())
    })
    child.once('exit', status => {
      reject(new Error(`ended with status ${String(status)}: ${stderr}`))
    })
  })
  const ended = new Promise<number | null>(resolve => child.once('exit', resolve))
  return { child, url, ended, stderr: () => stderr }
}

async function appInfo(url: string): Promise<unknown> {
  const { host, origin, searchParams } = new URL(url)
  const socket = new WebSocket(`ws://${host}/ws?token=${searchParams.get('token') ?? ''}`, {
    origin,
  })
  await new Promise(resolve => socket.once('open', resolve))
  socket.send(JSON.stringify({ id: 1, channel: 'app:info', input: null }))
  const message = await new Promise<string>(resolve => {
    socket.once('message', data => {
      resolve((data as Buffer).toString())
    })
  })
  socket.close()
  return JSON.parse(message)
}

describe('tessera serve', { timeout }, () => {
  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'serves the page and the core until %s',
    async signal => {
      const server = await startServer('src-main/cli/index.ts', [
        'serve',
        '--port',
        '0',
        '--no-open',
      ])
      const page = await fetch(server.url)
      expect(await page.text()).toContain('<div id="app">')
      expect(await appInfo(server.url)).toMatchObject({
        id: 1,
        reply: { ok: true, value: { host: 'browser', dataDirectory, storage: { kind: 'ready' } } },
      })
      server.child.kill(signal)
      expect(await server.ended).toBe(0)
    },
  )

  test('a port in use ends with status 1, and says what to do', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await new Promise(resolve => other.once('listening', resolve))
    const { port } = other.address() as AddressInfo
    const end = await tessera(['serve', '--no-open', '--port', String(port)], { dataDirectory })
    other.close()
    expect(end.status).toBe(1)
    expect(end.stderr).toContain(`port ${String(port)} on 127.0.0.1 is in use`)
    expect(end.stderr).toContain('choose one with --port N')
  })
})

describe('npm start', { timeout }, () => {
  test('without a display says so in one sentence, and opens the browser host', async () => {
    const server = await startServer('src-main/start/start.ts', ['--no-open'])
    expect(server.stderr()).toContain(
      'The desktop app cannot run here (there is no display), so Tessera opens in the browser.\n',
    )
    expect((await fetch(server.url)).status).toBe(200)
    server.child.kill('SIGTERM')
    expect(await server.ended).toBe(0)
  })
})
