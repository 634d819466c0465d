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
    writeOut(`${text}\n`)
  },
  printJson: value => {
    writeOut(`${JSON.stringify(value, null, 2)}\n`)
  },
  note: text => {
    writeErr(`${text}\n`)
  },
})

/** Ends in silence when whoever reads the output has had enough (`| head`). */
export function endWithReader(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') process.exit(0)
      throw error
    })
  }
}
