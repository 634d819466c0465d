import { join } from 'node:path'
import { projectDirectory } from '#main/start/project-directory.ts'

/** A file of the project, by its path from the root. */
export const projectFile = (path: string): string => join(projectDirectory, path)
