import { spawn } from 'node:child_process'
import { join } from 'node:path'
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
