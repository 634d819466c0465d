/** A line, or lines, of what was asked for. */
export const print = (text: string): void => {
  process.stdout.write(`${text}\n`)
}

/** The one JSON document of a `--json` run. */
export const printJson = (value: unknown): void => {
  print(JSON.stringify(value, null, 2))
}

/** Progress, warnings and errors, out of the way of what was asked for. */
export const note = (text: string): void => {
  process.stderr.write(`${text}\n`)
}

/** Ends in silence when whoever reads the output has had enough (`| head`). */
export function endWithReader(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') process.exit(0)
      throw error
    })
  }
}
