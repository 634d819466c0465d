import { createReadStream } from 'node:fs'

/**
 * Reads a file, or standard input for `-`.
 *
 * @throws RangeError where there is more than `maximumCharacters`; it is left unread then, so that
 *   an endless file such as /dev/zero does no harm
 */
export type ReadText = (path: string, maximumCharacters: number) => Promise<string>

export const readText: ReadText = async (path, maximumCharacters) => {
  const stream = path === '-' ? process.stdin.setEncoding('utf8') : createReadStream(path, 'utf8')
  const parts: string[] = []
  let length = 0
  for await (const part of stream as AsyncIterable<string>) {
    length += part.length
    if (length > maximumCharacters) {
      throw new RangeError(`at most ${String(maximumCharacters)} characters are read, it has more`)
    }
    parts.push(part)
  }
  return parts.join('')
}
