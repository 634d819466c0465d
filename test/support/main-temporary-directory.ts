import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { onTestFinished } from 'vitest'

/** A new directory that goes when the running test is over. */
export function temporaryDirectory(): string {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'tessera-test-'))
  onTestFinished(() => {
    fs.chmodSync(directory, 0o700)
    fs.rmSync(directory, { recursive: true, force: true })
  })
  return directory
}
