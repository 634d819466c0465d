import { spawn } from 'node:child_process'
import { projectFile } from '#test/support/e2e-project.ts'

interface CommandResult {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs `tessera` with these arguments on a data directory, to its end. */
export function runTessera(
  dataDirectory: string,
  args: readonly string[],
  standardInput = '',
): Promise<CommandResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [projectFile('src-main/cli/index.ts'), ...args], {
      env: { ...process.env, TESSERA_DATA_DIR: dataDirectory },
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    let stdout = ''
    let stderr = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
    child.stdin.on('error', () => undefined) // it may end without having read everything
    child.stdin.end(standardInput)
    child.on('error', reject)
    child.on('close', status => {
      resolve({ status, stdout, stderr })
    })
  })
}

/** Runs `tessera … --json`, which must succeed, and reads what it prints. */
export async function tesseraJson(
  dataDirectory: string,
  args: readonly string[],
  standardInput = '',
): Promise<unknown> {
  const { status, stdout, stderr } = await runTessera(
    dataDirectory,
    [...args, '--json'],
    standardInput,
  )
  if (status !== 0)
    throw new Error(`tessera ${args.join(' ')}: status ${String(status)}: ${stderr}`)
  return JSON.parse(stdout)
}
