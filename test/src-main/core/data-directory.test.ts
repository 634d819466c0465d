import { describe, expect, test } from 'vitest'
import { dataDirectory } from '#main/core/data-directory.ts'

type Environment = Record<string, string>

describe('the data directory', () => {
  test.each<[NodeJS.Platform, Environment, string, string]>([
    ['linux', {}, '/home/ada', '/home/ada/.local/share/tessera'],
    ['linux', { XDG_DATA_HOME: '/data' }, '/home/ada', '/data/tessera'],
    ['linux', { XDG_DATA_HOME: 'data' }, '/home/ada', '/home/ada/.local/share/tessera'],
    ['linux', { XDG_DATA_HOME: '' }, '/home/ada', '/home/ada/.local/share/tessera'],
    ['darwin', {}, '/Users/ada', '/Users/ada/Library/Application Support/Tessera'],
    [
      'win32',
      { APPDATA: 'C:\\Users\\ada\\AppData\\Roaming' },
      'C:\\Users\\ada',
      'C:\\Users\\ada\\AppData\\Roaming\\Tessera',
    ],
    ['win32', {}, 'C:\\Users\\ada', 'C:\\Users\\ada\\AppData\\Roaming\\Tessera'],
    ['linux', { TESSERA_DATA_DIR: '/mnt/lab', XDG_DATA_HOME: '/data' }, '/home/ada', '/mnt/lab'],
    ['darwin', { TESSERA_DATA_DIR: '/mnt/lab' }, '/Users/ada', '/mnt/lab'],
  ])('on %s with %j', (platform, environment, home, expected) => {
    expect(dataDirectory({ platform, environment, home })).toBe(expected)
  })

  test('is absolute even if the variable is not', () => {
    const environment = { TESSERA_DATA_DIR: 'lab' }
    expect(dataDirectory({ platform: 'linux', environment, home: '/home/ada' })).toBe(
      `${process.cwd()}/lab`,
    )
  })
})
