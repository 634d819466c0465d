/** A place in O. */
export interface OutputPlace {
  readonly sequence: number
  readonly head: number
  /** Query position, from 0. */
  readonly position: number
  readonly element: number
  readonly computed: number
  readonly exact: number
}

/** What a kernel that was executed on real numbers has come to; field names are a contract. */
export interface CheckResult {
  /** A dataflow id. */
  readonly dataflow: string
  readonly precision: 'fp64' | 'fp16' | 'fp8'
  readonly passed: boolean
  /** Largest deviation of an element of O from exact attention. */
  readonly largestAbsolute: number
  /** The same over the largest magnitude in the exact row of O. */
  readonly largestRelative: number
  readonly bound: number
  /** The deviation that the bound is on. */
  readonly boundOn: 'largestRelative' | 'largestAbsolute'
  /** Where that deviation is the largest; null where nothing was computed. */
  readonly largestAt: OutputPlace | null
  readonly rowsChecked: number
  /** Rows that were not stored, stored more than once, or hold something that is no number. */
  readonly rowsNotStored: number
  readonly rowsStoredAgain: number
  readonly rowsNotComputed: number
  /** Operations that began too early, or whose data others changed; the first few are told. */
  readonly hazards: number
  readonly firstHazards: readonly string[]
  readonly executedFlops: number
  readonly tiles: number
}
