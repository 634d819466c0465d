import { statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { UsageError } from '#main/cli/usage-error.ts'

/** @throws UsageError before any work where the file of `--out` could not be written anyway */
export function checkTarget(out: string): void {
  const directory = dirname(resolve(out))
  if (statSync(directory, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new UsageError(`--out ${out}: the directory ${directory} does not exist`)
  }
  if (statSync(out, { throwIfNoEntry: false })?.isDirectory() === true) {
    throw new UsageError(`--out ${out}: is a directory, must be a file`)
  }
}
