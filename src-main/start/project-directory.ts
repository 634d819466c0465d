import { fileURLToPath } from 'node:url'

/** The root of the project, when run from its sources. */
export const projectDirectory = fileURLToPath(new URL('../../', import.meta.url))
