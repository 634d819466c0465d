import { randomBytes } from 'node:crypto'
import { open, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

/**
 * Writes a file so that nobody ever sees half of it: to a neighbour first, then renamed.
 *
 * @throws the error of the file system; the target is then as it was
 */
export async function writeWholeFile(path: string, content: Uint8Array | string): Promise<void> {
  const neighbour = join(dirname(path), `.${basename(path)}.${randomBytes(6).toString('hex')}.tmp`)
  try {
    const file = await open(neighbour, 'wx')
    try {
      await file.writeFile(content)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(neighbour, path)
  } catch (error) {
    await rm(neighbour, { force: true })
    throw error
  }
}
