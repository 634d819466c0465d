import { randomBytes } from 'node:crypto'
import { lstat, open, readlink, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'

/**
 * Writes a file so that nobody ever sees half of it: to a neighbour first, then renamed.
 *
 * A symbolic link stays one: what it points to is replaced. What is no file, such as /dev/stdout or
 * a pipe, is written to as it stands.
 *
 * @throws the error of the file system; a file is then as it was
 */
export async function writeWholeFile(path: string, content: Uint8Array | string): Promise<void> {
  const existing = await unlessMissing(stat(path))
  if (existing?.isDirectory() === true) {
    throw Object.assign(new Error(`EISDIR: is a directory, not a file: ${path}`), {
      code: 'EISDIR',
      syscall: 'open',
      path,
    })
  }
  if (existing !== undefined && !existing.isFile()) {
    await writeFile(path, content)
    return
  }
  const target = await endOfLinks(path)
  // Its own short name: that of the target may be as long as the file system allows.
  const neighbour = join(dirname(target), `.tessera-${randomBytes(6).toString('hex')}.tmp`)
  try {
    const file = await open(neighbour, 'wx', existing?.mode)
    try {
      await file.writeFile(content)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(neighbour, target)
  } catch (error) {
    await rm(neighbour, { force: true })
    throw error
  }
}

const longestChain = 40

/** What a path stands for once every symbolic link is followed; it need not exist. */
async function endOfLinks(path: string): Promise<string> {
  let target = path
  for (let links = 0; links < longestChain; links += 1) {
    const entry = await unlessMissing(lstat(target))
    if (entry?.isSymbolicLink() !== true) break
    target = resolve(dirname(target), await readlink(target))
  }
  return target
}

async function unlessMissing<Value>(found: Promise<Value>): Promise<Value | undefined> {
  try {
    return await found
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
