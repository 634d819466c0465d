import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Width and height of A4 in points. */
export const a4Points = [595.28, 841.89] as const

interface PdfFacts {
  readonly pages: number
  /** Of the first page, in points. */
  readonly size: readonly [width: number, height: number]
}

/**
 * What poppler says about a PDF.
 *
 * @throws Error with an instruction where poppler is not installed
 */
export async function pdfFacts(file: string): Promise<PdfFacts> {
  const text = await poppler('pdfinfo', [file])
  const size = /^Page size:\s+([\d.]+) x ([\d.]+) pts/m.exec(text)
  return {
    pages: Number(/^Pages:\s+(\d+)/m.exec(text)?.[1]),
    size: [Number(size?.[1]), Number(size?.[2])],
  }
}

/** The text of each page, laid out as it stands on it. */
export async function pdfPages(file: string): Promise<string[]> {
  const text = await poppler('pdftotext', ['-layout', file, '-'])
  return text.split('\f').slice(0, -1) // each page ends with a form feed
}

/** Renders each page as a grey image of 50 dots an inch. @returns the files, in order */
export async function renderPages(file: string): Promise<string[]> {
  const stem = `${basename(file, '.pdf')}-page`
  await poppler('pdftoppm', ['-gray', '-r', '50', file, join(dirname(file), stem)])
  const names = await readdir(dirname(file))
  return names
    .filter(name => name.startsWith(stem) && name.endsWith('.pgm'))
    .toSorted()
    .map(name => join(dirname(file), name))
}

interface GreyImage {
  readonly width: number
  readonly height: number
  /** The part of the dots that are not white, from 0 to 1. */
  readonly ink: number
}

/** Reads a binary PGM file. @throws Error if it is none */
export async function readGreyImage(file: string): Promise<GreyImage> {
  const bytes = await readFile(file)
  const head = /^P5\s+(\d+)\s+(\d+)\s+255\s/.exec(bytes.subarray(0, 64).toString('latin1'))
  if (head === null) throw new Error(`${file} is no binary PGM file with 8 bits a dot`)
  const dots = bytes.subarray(head[0].length)
  const dark = dots.reduce((count, dot) => count + (dot < 250 ? 1 : 0), 0)
  return { width: Number(head[1]), height: Number(head[2]), ink: dark / dots.length }
}

async function poppler(program: string, args: readonly string[]): Promise<string> {
  try {
    const { stdout } = await run(program, args, { maxBuffer: 64 * 2 ** 20 })
    return stdout
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    throw new Error(
      `${program} was not found: these tests read PDF files with poppler; install its tools ` +
        '(Debian and Ubuntu: apt-get install poppler-utils; macOS: brew install poppler)',
      { cause: error },
    )
  }
}
