/** Entry of `npm start`: the desktop app, or the browser host where that cannot be. */
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { buildWhenStale } from '#main/start/build-when-stale.ts'
import { electronExecutable, fetchElectron } from '#main/start/electron-binary.ts'
import { displayProblem, launchDesktop, type DesktopEnd } from '#main/start/launch-desktop.ts'
import { projectDirectory } from '#main/start/project-directory.ts'
import { serve } from '#main/start/serve.ts'

const note = (line: string): void => {
  process.stderr.write(`${line}\n`)
}

async function startDesktop(): Promise<DesktopEnd> {
  const problem = displayProblem(process.platform, process.env)
  if (problem !== undefined) return { kind: 'unable', reason: problem }
  await buildWhenStale(note)
  const electronDirectory = join(projectDirectory, 'node_modules', 'electron')
  try {
    let executable = electronExecutable(electronDirectory)
    if (executable === undefined) {
      note('fetching Electron, once (about 110 MB) …')
      executable = await fetchElectron({ electronDirectory })
    }
    return await launchDesktop(executable, projectDirectory)
  } catch (error) {
    return { kind: 'unable', reason: error instanceof Error ? error.message : String(error) }
  }
}

async function start(): Promise<void> {
  const { values } = parseArgs({
    options: { browser: { type: 'boolean' }, 'no-open': { type: 'boolean' } },
  })
  if (values.browser !== true) {
    const end = await startDesktop()
    if (end.kind === 'ended') {
      process.exitCode = end.status
      return
    }
    note(`The desktop app cannot run here (${end.reason}), so Tessera opens in the browser.`)
  }
  await serve({
    port: undefined,
    open: values['no-open'] !== true,
    note,
    onReady: url => {
      process.stdout.write(`${url}\n`)
      note('Open this address if no browser did; Ctrl+C ends Tessera.')
    },
  })
}

start().catch((error: unknown) => {
  note(`tessera: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 1
})
