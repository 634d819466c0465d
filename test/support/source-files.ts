import { readdirSync } from 'node:fs'
import { join, relative, sep } from 'node:path'

export const projectRoot = join(import.meta.dirname, '..', '..')

/** Paths from the project's root, with '/', of every file below some folders. */
export const filesBelow = (...folders: string[]): string[] =>
  folders.flatMap(folder =>
    readdirSync(join(projectRoot, folder), { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile())
      .map(entry => relative(projectRoot, join(entry.parentPath, entry.name)).split(sep).join('/')),
  )
