import { join } from 'node:path'
import { app } from 'electron'

const built = (...names: string[]): string => join(app.getAppPath(), 'out', ...names)

/** Where the build put the files that the desktop host loads. */
export const paths = {
  page: () => built('renderer'),
  preload: () => built('preload', 'index.cjs'),
  worker: () => built('main', 'worker.js'),
}
