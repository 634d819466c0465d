import { readFile, realpath } from 'node:fs/promises'
import { extname, join, sep } from 'node:path'

/** A file of the built page. */
export interface PageFile {
  readonly body: Buffer<ArrayBuffer>
  readonly contentType: string
}

const contentTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.woff': 'font/woff',
  '.woff2': 'font/woff2',
}

/**
 * The file of the built page that a URL path stands for; `/` is index.html.
 *
 * @param directory where the page was built to
 * @param urlPath path of a URL, still percent-encoded, without the query
 * @returns undefined where there is none, or where the path leads out of `directory`
 */
export async function readPageFile(
  directory: string,
  urlPath: string,
): Promise<PageFile | undefined> {
  const relative = decodedPath(urlPath)
  if (relative === undefined) return undefined
  const contentType = contentTypes[extname(relative).toLowerCase()]
  if (contentType === undefined) return undefined
  try {
    const root = await realpath(directory)
    const file = await realpath(join(root, relative))
    if (!file.startsWith(root + sep)) return undefined
    return { body: await readFile(file), contentType }
  } catch {
    return undefined // there is no such file, or it is a directory
  }
}

function decodedPath(urlPath: string): string | undefined {
  let decoded
  try {
    decoded = decodeURIComponent(urlPath)
  } catch {
    return undefined
  }
  const segments = decoded.split('/').slice(1)
  const suspicious = segments.some(
    segment => segment === '..' || segment.startsWith('.') || /[\\:\0]/.test(segment),
  )
  if (!decoded.startsWith('/') || suspicious) return undefined
  return decoded === '/' ? 'index.html' : segments.join('/')
}
