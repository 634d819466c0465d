import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { runCommandLine } from '#main/cli/run-command-line.ts'
import { projectRoot } from '#test/support/source-files.ts'

export interface CommandEnd {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface CommandOptions {
  readonly dataDirectory: string
  readonly input?: string
}

/** Runs a command in this process, which takes a tenth of starting one; its input is that of the test. */
export async function tesseraHere(
  args: readonly string[],
  { dataDirectory }: Pick<CommandOptions, 'dataDirectory'>,
): Promise<CommandEnd> {
  let stdout = ''
  let stderr = ''
  const before = process.env.TESSERA_DATA_DIR
  process.env.TESSERA_DATA_DIR = dataDirectory
  try {
    const status = await runCommandLine(args, {
      writeOut: text => (stdout += text),
      writeErr: text => (stderr += text),
    })
    return { status, stdout, stderr }
  } finally {
    if (before === undefined) delete process.env.TESSERA_DATA_DIR
    else process.env.TESSERA_DATA_DIR = before
  }
}

/** Runs the real command, as a shell would. */
export function tessera(args: readonly string[], options: CommandOptions): Promise<CommandEnd> {
  const command = join(projectRoot, 'src-main', 'cli', 'tessera.mjs')
  const child = spawn(command, args, {
    env: { ...process.env, TESSERA_DATA_DIR: options.dataDirectory },
    stdio: 'pipe',
  })
  child.stdin.end(options.input ?? '')
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', status => {
      resolve({ status, stdout, stderr })
    })
  })
}
