import { randomBytes } from 'node:crypto'

/** A file that waits to be fetched. */
export interface Download {
  readonly fileName: string
  readonly contentType: string
  readonly body: Buffer<ArrayBuffer>
}

/** Files that can each be fetched once, at a path nobody can guess. */
export interface Downloads {
  /** @returns the URL path to fetch it at */
  offer(download: Download): string
  /** The file, which then is gone; undefined for a path that was never given out, or is used up. */
  take(path: string): Download | undefined
}

/**
 * @param lifetimeMs how long a file waits before it is dropped
 */
export function createDownloads(lifetimeMs = 10 * 60_000): Downloads {
  const waiting = new Map<string, Download>()
  return {
    offer(download) {
      const path = `/download/${randomBytes(32).toString('base64url')}`
      waiting.set(path, download)
      setTimeout(() => waiting.delete(path), lifetimeMs).unref()
      return path
    },
    take(path) {
      const download = waiting.get(path)
      waiting.delete(path)
      return download
    },
  }
}
