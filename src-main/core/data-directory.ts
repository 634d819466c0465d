import os from 'node:os'
import path from 'node:path'

interface Place {
  readonly platform: NodeJS.Platform
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly home: string
}

/**
 * Where the history is kept: TESSERA_DATA_DIR if set, else the platform's place for such files.
 *
 * @returns an absolute path; the directory need not exist yet
 */
export function dataDirectory(
  place: Place = { platform: process.platform, environment: process.env, home: os.homedir() },
): string {
  const { platform, environment, home } = place
  const { TESSERA_DATA_DIR, APPDATA, XDG_DATA_HOME } = environment
  const paths = platform === 'win32' ? path.win32 : path.posix
  if (TESSERA_DATA_DIR) return paths.resolve(TESSERA_DATA_DIR)
  if (platform === 'darwin') return paths.join(home, 'Library', 'Application Support', 'Tessera')
  if (platform === 'win32') {
    const isSet = APPDATA !== undefined && APPDATA !== ''
    return paths.join(isSet ? APPDATA : paths.join(home, 'AppData', 'Roaming'), 'Tessera')
  }
  // The XDG base directory specification says to ignore a relative path.
  const isUsable = XDG_DATA_HOME !== undefined && paths.isAbsolute(XDG_DATA_HOME)
  return paths.join(isUsable ? XDG_DATA_HOME : paths.join(home, '.local', 'share'), 'tessera')
}
