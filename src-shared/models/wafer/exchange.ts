import type { Cycles } from '#shared/units/quantity.ts'

/** What the chips send one another: equal messages, each to one chip, in order. */
export interface Exchange {
  /** For each chip of the system, the chips that its messages go to. */
  readonly destinations: readonly Int32Array[]
  readonly flitsPerMessage: number
}

/** What an exchange took, and what it moved. */
export interface ExchangeTime {
  /** When the last flit of data is in its chip. */
  readonly lastData: Cycles
  /** When every chip knows that its last message has come: a way back after that. */
  readonly acknowledged: Cycles
  /** Flits of data over each link, by its id in the topology. */
  readonly linkFlits: Float64Array
  /** Flits of data through the port of each chip into the network, and out of it. */
  readonly sentFlits: Float64Array
  readonly receivedFlits: Float64Array
}

/** How far an exchange is. */
export interface ExchangeProgress {
  readonly done: number
  readonly total: number
}

/** Flits of all messages. */
export const flitsOf = ({ destinations, flitsPerMessage }: Exchange): number =>
  flitsPerMessage * destinations.reduce((sum, messages) => sum + messages.length, 0)
