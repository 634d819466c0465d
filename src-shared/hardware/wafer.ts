import type { Chip } from '#shared/hardware/chip.ts'
import type { Bytes, BytesPerSecond, Cycles, Hertz } from '#shared/units/quantity.ts'

/** How the chips of a system are joined. */
export type D2dTopology = 'mesh' | 'torus' | 'flattened-butterfly' | 'switch'

/** The links between chips and their routers; times in cycles of their own clock. */
export interface DieToDie {
  readonly topology: D2dTopology
  readonly clock: Hertz
  /** Of one link in one direction. */
  readonly bandwidth: BytesPerSecond
  /** Of a link, without the router behind it. */
  readonly latency: Cycles
  /** Between a chip and its router, one way. */
  readonly portLatency: Cycles
  /** How many links a chip could keep busy through its port, in each direction. */
  readonly portLinks: number
  /** Pipeline of a router. */
  readonly router: Cycles
  /** What a link moves at once; a partly filled one takes as long. */
  readonly flit: Bytes
  /** Flits that the receiving end of a link can hold: its credits. */
  readonly fifoFlits: number
  /** Flits that the receiver counts before it returns their credits. */
  readonly creditBatch: number
}

/** Peculiarities of the reference simulator's chip-to-chip model, each off in a new design. */
export interface D2dArtefacts {
  /** A flit takes a whole number of clock cycles on a link. */
  readonly wholeCyclesPerFlit: boolean
  /** An exchange ends when the last acknowledgement is back, not when the last data is there. */
  readonly endsWithAcknowledgement: boolean
  /** The combine is timed as another dispatch: same direction, same bytes. */
  readonly combineLikeDispatch: boolean
  /** What a chip sends to itself passes through its router and both ports. */
  readonly ownChipThroughRouter: boolean
}

/** Chips of one kind on a grid, joined by die-to-die links. */
export interface Wafer {
  readonly chip: Chip
  readonly columns: number
  readonly rows: number
  readonly d2d: DieToDie
  readonly artefacts: D2dArtefacts
}

export const chipCount = (wafer: Pick<Wafer, 'columns' | 'rows'>): number =>
  wafer.columns * wafer.rows
