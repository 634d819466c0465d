import { describe, expect, test } from 'vitest'
import { findChromium, NoChromiumError, type Machine } from '#main/report/find-chromium.ts'

const machine = (files: readonly string[], over: Partial<Machine> = {}): Machine => ({
  platform: 'linux',
  environment: { PATH: '/home/me/bin:/usr/bin' },
  homeDirectory: '/home/me',
  exists: path => files.includes(path),
  list: () => [],
  ...over,
})

describe('findChromium', () => {
  test('takes the one that TESSERA_CHROMIUM names', () => {
    const environment = { TESSERA_CHROMIUM: '/opt/mine/chrome', PATH: '/usr/bin' }
    const files = ['/usr/bin/chromium', '/opt/mine/chrome']
    expect(findChromium(machine(files, { environment }))).toBe('/opt/mine/chrome')
  })

  test('does not fall back where TESSERA_CHROMIUM names no file', () => {
    const environment = { TESSERA_CHROMIUM: '/opt/gone', PATH: '/usr/bin' }
    expect(() => findChromium(machine(['/usr/bin/chromium'], { environment }))).toThrow(
      'TESSERA_CHROMIUM is "/opt/gone", which does not exist',
    )
  })

  test('looks along PATH, in its order', () => {
    const files = ['/usr/bin/google-chrome', '/home/me/bin/chromium']
    expect(findChromium(machine(files))).toBe('/home/me/bin/chromium')
  })

  test.each([
    ['darwin', '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'],
    ['darwin', '/home/me/Applications/Chromium.app/Contents/MacOS/Chromium'],
    ['win32', 'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe'],
    ['win32', 'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe'],
  ] as const)('knows the places of %s: %s', (platform, path) => {
    const environment = {
      PROGRAMFILES: 'C:\\Program Files',
      'PROGRAMFILES(X86)': 'C:\\Program Files (x86)',
    }
    expect(findChromium(machine([path], { platform, environment }))).toBe(path)
  })

  test('takes the newest that Playwright has fetched', () => {
    const cache = '/home/me/.cache/ms-playwright'
    const files = ['chromium-900', 'chromium-1255'].map(
      name => `${cache}/${name}/chrome-linux64/chrome`,
    )
    const list = (folder: string) =>
      folder === cache ? ['chromium-900', 'firefox-1', 'chromium-1255'] : []
    expect(findChromium(machine(files, { list }))).toBe(files[1])
  })

  test('says what to do where there is none', () => {
    expect(() => findChromium(machine([]))).toThrow(NoChromiumError)
    expect(() => findChromium(machine([]))).toThrow(
      'install one, or set TESSERA_CHROMIUM to the path of its executable',
    )
  })
})
