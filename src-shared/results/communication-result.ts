/** One direction of a link with what went over it. */
export interface LinkLoad {
  /** Chip by its number x + columns · y, or the central switch. */
  readonly from: number | 'switch'
  readonly to: number | 'switch'
  /** Whole flits, with what is left empty in them. */
  readonly dispatchBytes: number
  readonly combineBytes: number
}

/** What keeps an exchange from ending sooner. */
export interface ExchangeBottleneck {
  readonly line: 'link' | 'sending-port' | 'receiving-port'
  /** Of a port: its chip in both. */
  readonly from: number | 'switch'
  readonly to: number | 'switch'
  readonly flits: number
  /** With the stalls for credits. */
  readonly secondsPerFlit: number
  /** Until its first flit can be there, and from there to the farthest chip. */
  readonly beforeSeconds: number
  readonly afterSeconds: number
}

/** One exchange of tokens among the chips of a group. */
export interface ExchangeResult {
  /** As the system counts: until the last data, or until the last acknowledgement. */
  readonly seconds: number
  readonly lastDataSeconds: number
  readonly acknowledgedSeconds: number
  readonly messages: number
  readonly messageBytes: number
  readonly flitsPerMessage: number
  /** By the closed form; null where nothing has to move. */
  readonly bottleneck: ExchangeBottleneck | null
}

/** Dispatch and combine of one layer. Field names are part of the contract; SI units in the name. */
export interface DispatchResult {
  readonly dispatchSeconds: number
  readonly combineSeconds: number
  readonly dispatch: ExchangeResult
  readonly combine: ExchangeResult
  /** Every link that carries something. */
  readonly links: readonly LinkLoad[]
  /** Over one link in one exchange. */
  readonly maxLinkBytes: number
  /** Rows that the experts of each member of the group compute; member i is chip `chips[i]`. */
  readonly chips: readonly number[]
  readonly expertRows: readonly number[]
}
