import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** The parts of the machine that the search looks at. */
export interface Machine {
  readonly platform: NodeJS.Platform
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly homeDirectory: string
  exists(path: string): boolean
  /** Names in a directory; none where it does not exist. */
  list(directory: string): readonly string[]
}

/** No Chromium; the message says how to get one. */
export class NoChromiumError extends Error {
  override readonly name = 'NoChromiumError'
}

export const thisMachine = (
  environment: NodeJS.ProcessEnv,
  platform: NodeJS.Platform,
  homeDirectory: string,
): Machine => ({
  platform,
  environment,
  homeDirectory,
  exists: existsSync,
  list: directory => (existsSync(directory) ? readdirSync(directory) : []),
})

/**
 * The executable of a Chromium: TESSERA_CHROMIUM, an installed Chrome, Chromium or Edge, or one
 * that Playwright has fetched, in this order.
 *
 * @throws NoChromiumError where there is none, or TESSERA_CHROMIUM names no file
 */
export function findChromium(machine: Machine): string {
  const chosen = machine.environment.TESSERA_CHROMIUM
  if (chosen !== undefined && chosen !== '') {
    if (machine.exists(chosen)) return chosen
    throw new NoChromiumError(
      `TESSERA_CHROMIUM is "${chosen}", which does not exist; it must be the path of a Chrome or Chromium executable`,
    )
  }
  const found = [...installed(machine), ...fromPlaywright(machine)].find(path =>
    machine.exists(path),
  )
  if (found !== undefined) return found
  throw new NoChromiumError(
    'no Chrome or Chromium was found: install one, or set TESSERA_CHROMIUM to the path of its executable',
  )
}

function installed(machine: Machine): string[] {
  if (machine.platform === 'darwin') return installedOnMac(machine.homeDirectory)
  if (machine.platform === 'win32') return installedOnWindows(machine.environment)
  return installedOnUnix(machine.environment)
}

function installedOnMac(homeDirectory: string): string[] {
  const apps = [
    'Google Chrome.app/Contents/MacOS/Google Chrome',
    'Chromium.app/Contents/MacOS/Chromium',
    'Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  ]
  return ['/Applications', join(homeDirectory, 'Applications')].flatMap(folder =>
    apps.map(app => join(folder, app)),
  )
}

function installedOnWindows(environment: Machine['environment']): string[] {
  const folders = ['PROGRAMFILES', 'PROGRAMFILES(X86)', 'LOCALAPPDATA'].flatMap(
    name => environment[name] ?? [],
  )
  const programs = [
    'Google\\Chrome\\Application\\chrome.exe',
    'Chromium\\Application\\chrome.exe',
    'Microsoft\\Edge\\Application\\msedge.exe',
  ]
  return folders.flatMap(folder => programs.map(program => `${folder}\\${program}`))
}

function installedOnUnix(environment: Machine['environment']): string[] {
  const names = [
    'google-chrome-stable',
    'google-chrome',
    'chromium',
    'chromium-browser',
    'microsoft-edge-stable',
  ]
  const searchPath = (environment.PATH ?? '').split(':').filter(folder => folder !== '')
  return [...searchPath, '/usr/bin', '/usr/local/bin', '/snap/bin', '/opt/google/chrome'].flatMap(
    folder => names.map(name => join(folder, name)),
  )
}

/** Newest first, of every revision in Playwright's cache. */
function fromPlaywright(machine: Machine): string[] {
  const cache = playwrightCache(machine)
  const revisions = machine
    .list(cache)
    .filter(name => /^chromium(_headless_shell)?-\d+$/.test(name))
    .toSorted((a, b) => Number(b.split('-')[1]) - Number(a.split('-')[1]))
  const executables = [
    'chrome-linux64/chrome',
    'chrome-linux/chrome',
    'chrome-headless-shell-linux64/chrome-headless-shell',
    'chrome-mac/Chromium.app/Contents/MacOS/Chromium',
    'chrome-mac-arm64/Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing',
    'chrome-mac-x64/Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing',
    'chrome-win64/chrome.exe',
    'chrome-win/chrome.exe',
  ]
  return revisions.flatMap(revision =>
    executables.map(executable => join(cache, revision, executable)),
  )
}

function playwrightCache({ platform, environment, homeDirectory }: Machine): string {
  const { PLAYWRIGHT_BROWSERS_PATH, LOCALAPPDATA, XDG_CACHE_HOME } = environment
  if (PLAYWRIGHT_BROWSERS_PATH && PLAYWRIGHT_BROWSERS_PATH !== '0') return PLAYWRIGHT_BROWSERS_PATH
  if (platform === 'darwin') return join(homeDirectory, 'Library', 'Caches', 'ms-playwright')
  const parent =
    platform === 'win32'
      ? (LOCALAPPDATA ?? join(homeDirectory, 'AppData', 'Local'))
      : (XDG_CACHE_HOME ?? join(homeDirectory, '.cache'))
  return join(parent, 'ms-playwright')
}
