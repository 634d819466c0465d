import { spawnSync } from 'node:child_process'
import { homedir } from 'node:os'
import { findChromium, NoChromiumError, thisMachine } from '#main/report/find-chromium.ts'

/** The Chromium of this machine. @throws NoChromiumError */
export const localChromium = (): string =>
  findChromium(thisMachine(process.env, process.platform, homedir()))

/**
 * The Chromium of this machine; as root on a Debian it is installed if there is none. For tests:
 * the app itself never installs anything.
 *
 * @throws NoChromiumError
 */
export function ensureChromium(): string {
  try {
    return localChromium()
  } catch (error) {
    if (!(error instanceof NoChromiumError) || process.getuid?.() !== 0) throw error
    const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    const aptGet = (...args: string[]) =>
      spawnSync('apt-get', ['-qq', ...args], { env: environment, stdio: ['ignore', 2, 2] }).status
    aptGet('update')
    if (aptGet('install', '-y', '--no-install-recommends', 'chromium', 'fonts-dejavu-core') !== 0) {
      throw new NoChromiumError(`${error.message} (apt-get could not install it either)`, {
        cause: error,
      })
    }
    return localChromium()
  }
}
