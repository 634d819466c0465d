import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { displayProblem, launchDesktop } from '#main/start/launch-desktop.ts'
import { openCommand } from '#main/start/open-url.ts'

let directory: string
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'tessera-launch-'))
})
afterAll(() => {
  rmSync(directory, { recursive: true })
})

function executable(name: string, script: string): string {
  const path = join(directory, name)
  writeFileSync(path, `#!/bin/sh\n${script}\n`)
  chmodSync(path, 0o755)
  return path
}

describe('displayProblem', () => {
  test.each([
    ['linux', {}, 'there is no display'],
    ['linux', { DISPLAY: '' }, 'there is no display'],
    ['linux', { DISPLAY: ':0' }, undefined],
    ['linux', { WAYLAND_DISPLAY: 'wayland-0' }, undefined],
    ['darwin', {}, undefined],
    ['win32', {}, undefined],
  ] as const)('on %s with %j: %s', (platform, environment, problem) => {
    expect(displayProblem(platform, environment)).toBe(problem)
  })
})

describe('launchDesktop', () => {
  test('tells when the app has ended as it should', async () => {
    const path = executable('good', 'test "$1" = /project')
    expect(await launchDesktop(path, '/project')).toEqual({ kind: 'ended', status: 0 })
  })

  test('a failure at once means that it cannot run here', async () => {
    const path = executable('bad', 'exit 127')
    expect(await launchDesktop(path, '/project')).toEqual({
      kind: 'unable',
      reason: 'Electron ended at once with status 127',
    })
  })

  test('a failure later is its own', async () => {
    const path = executable('late', 'sleep 0.3; exit 5')
    expect(await launchDesktop(path, '/project', 100)).toEqual({ kind: 'ended', status: 5 })
  })

  test('an executable that cannot be run is named as the reason', async () => {
    const end = await launchDesktop(join(directory, 'missing'), '/project')
    expect(end).toMatchObject({
      kind: 'unable',
      reason: expect.stringContaining('ENOENT') as string,
    })
  })
})

describe('openCommand', () => {
  const url = 'http://127.0.0.1:8731/?token=x&y'

  test.each([
    ['darwin', {}, ['open', url]],
    ['win32', {}, ['rundll32', 'url.dll,FileProtocolHandler', url]],
    ['linux', { DISPLAY: ':0' }, ['xdg-open', url]],
    ['linux', {}, undefined],
  ] as const)('on %s with %j is %j', (platform, environment, command) => {
    expect(openCommand(url, platform, environment)).toEqual(command)
  })
})
