import { spawn } from 'node:child_process'
import { displayProblem } from '#main/start/launch-desktop.ts'

/** The command that opens a URL in the browser that the person has chosen; none without a display. */
export function openCommand(
  url: string,
  platform: NodeJS.Platform,
  environment: NodeJS.ProcessEnv,
): readonly [string, ...string[]] | undefined {
  if (platform === 'darwin') return ['open', url]
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler', url]
  return displayProblem(platform, environment) === undefined ? ['xdg-open', url] : undefined
}

/** Opens a URL in the default browser. It may fail in silence: the URL is printed anyway. */
export function openUrl(url: string): void {
  const command = openCommand(url, process.platform, process.env)
  if (command === undefined) return
  const [program, ...args] = command
  const child = spawn(program, args, { stdio: 'ignore', detached: true })
  child.on('error', () => undefined)
  child.unref()
}
