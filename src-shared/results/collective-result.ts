/** One stretch of a collective: along the rows, the barrier between, along the column. */
export interface CollectivePart {
  readonly part: 'row' | 'barrier' | 'column'
  readonly participants: number
  readonly cycles: number
  readonly steps: number
}

/** Field names are part of the command line's contract; SI units in the name. */
export interface CollectiveResult {
  readonly cycles: number
  readonly seconds: number
  /** Bytes of one tile over time; 0 where nothing has to move. */
  readonly bandwidthBytesPerSecond: number
  /** Steps that follow one another: 1 for each line in hardware. */
  readonly steps: number
  readonly parts: readonly CollectivePart[]
}
