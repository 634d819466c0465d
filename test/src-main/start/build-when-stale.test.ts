import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { buildWhenStale, isBuildStale } from '#main/start/build-when-stale.ts'

const outputs = ['main/index.js', 'main/worker.js', 'preload/index.cjs', 'renderer/index.html']
let root: string

function write(path: string, seconds: number, text = ''): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
  utimesSync(join(root, path), seconds, seconds)
}

/** Files from second 100, built at second 200; folders bear the time of their oldest file. */
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'tessera-build-'))
  for (const path of ['src-renderer/main.ts', 'src-shared/a.ts', 'src-main/app/index.ts']) {
    write(path, 100)
    for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) {
      utimesSync(join(root, folder), 100, 100)
    }
  }
  for (const path of outputs) write(`out/${path}`, 200)
})

afterEach(() => {
  rmSync(root, { recursive: true })
})

describe('a build is stale', () => {
  test('not while it is newer than everything it was made from', () => {
    expect(isBuildStale(root)).toBe(false)
  })

  test.each(outputs)('when %s is missing', path => {
    rmSync(join(root, 'out', path))
    expect(isBuildStale(root)).toBe(true)
  })

  test('when a source is newer than its oldest output', () => {
    write('src-shared/a.ts', 150)
    expect(isBuildStale(root)).toBe(false)
    write('out/main/worker.js', 140)
    expect(isBuildStale(root)).toBe(true)
  })

  test('when a source was deleted', () => {
    rmSync(join(root, 'src-shared', 'a.ts'))
    expect(isBuildStale(root)).toBe(true)
  })

  test('when the configuration of the build has changed', () => {
    write('electron.vite.config.ts', 300)
    expect(isBuildStale(root)).toBe(true)
  })
})

describe('buildWhenStale', () => {
  const builder = 'node_modules/electron-vite/bin/electron-vite.js'
  const buildAll = `const fs = require('node:fs')
    for (const path of ${JSON.stringify(outputs)}) fs.writeFileSync('out/' + path, 'built')
    fs.appendFileSync('builds', 'x')`

  test('builds once, however many ask at the same time', async () => {
    write(builder, 100, buildAll)
    rmSync(join(root, 'out', 'main', 'worker.js'))
    const said: string[] = []
    const say = (line: string) => said.push(line)
    await Promise.all([buildWhenStale(say, root), buildWhenStale(say, root)])
    expect(said).toEqual(['building the app …'])
    expect(isBuildStale(root)).toBe(false)
  })

  test('does not wait for a process that has died while it was building', async () => {
    write(builder, 100, buildAll)
    rmSync(join(root, 'out', 'main', 'worker.js'))
    write('out/build.lock', 100, '2147483646')
    await buildWhenStale(() => undefined, root)
    expect(isBuildStale(root)).toBe(false)
  })

  test('passes on what the build complained about', async () => {
    write(builder, 100, "console.error('cannot resolve x'); process.exit(1)")
    rmSync(join(root, 'out', 'main', 'worker.js'))
    await expect(buildWhenStale(() => undefined, root)).rejects.toThrow(
      'the build failed with status 1:\ncannot resolve x',
    )
  })
})
