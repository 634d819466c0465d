/** Where a command writes to. */
export interface Output {
  /** A line, or lines, of what was asked for. */
  readonly print: (text: string) => void
  /** The one JSON document of a `--json` run. */
  readonly printJson: (value: unknown) => void
  /** Progress, warnings and errors, out of the way of what was asked for. */
  readonly note: (text: string) => void
}

export interface Streams {
  readonly writeOut: (text: string) => void
  readonly writeErr: (text: string) => void
}

/** The streams of this process. */
export const processStreams: Streams = {
  writeOut: text => process.stdout.write(text),
  writeErr: text => process.stderr.write(text),
}

export const createOutput = ({ writeOut, writeErr }: Streams): Output => ({
  print: text => {
    writeOut(`${withoutControl(text)}\n`)
  },
  printJson: value => {
    writeOut(`${withoutControl(JSON.stringify(value, null, 2))}\n`)
  },
  note: text => {
    writeErr(`${withoutControl(text)}\n`)
  },
})

/**
 * A terminal obeys control characters, and names may come from somebody else's file: they are shown
 * as JSON writes them, and so are those that turn the direction of a text. Lines stay lines.
 */
const withoutControl = (text: string): string =>
  text.replaceAll(
    /[^\P{Cc}\n\t]|[\u202A-\u202E\u2066-\u2069]/gu,
    character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

/** Ends in silence when whoever reads the output has had enough (`| head`). */
export function endWithReader(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') process.exit(0)
      throw error
    })
  }
}
