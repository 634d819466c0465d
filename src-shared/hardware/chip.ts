import type {
  Bytes,
  BytesPerCycle,
  BytesPerSecond,
  Cycles,
  Flops,
  FlopsPerSecond,
  Hertz,
} from '#shared/units/quantity.ts'
import { flops, flopsPerSecond } from '#shared/units/quantity.ts'

/** Systolic-like array of fused multiply-add units; takes one operation at a time. */
export interface MatrixEngine {
  readonly height: number
  readonly width: number
  /** Pipeline registers in each multiply-add unit. */
  readonly pipeline: number
  /** Configure, trigger and blocking wait, on top of the busy time. */
  readonly launch: Cycles
}

/** The vector engines of one tile. */
export interface VectorEngine {
  readonly count: number
  /** 64-bit floating-point units in each engine. */
  readonly fpus: number
  /** What one engine loads or stores per cycle (32 bits per port). */
  readonly loadStore: BytesPerCycle
  /** Exponentials per lane and cycle; 1 where an exp unit works at full rate. */
  readonly expRate: number
}

export interface Noc {
  /** Payload of one flit: what a link moves per cycle. */
  readonly flit: Bytes
  readonly hop: Cycles
}

export type Edge = 'west' | 'north' | 'east' | 'south'

export interface Hbm {
  readonly channels: Readonly<Record<Edge, number>>
  readonly channelRate: BytesPerSecond
  /** From a request at the edge to its first data, for a closed row, without the hops. */
  readonly latency: Cycles
  /** Sustained fraction of the peak before refresh is paid. */
  readonly efficiency: number
  /** Refreshes that a busy channel may put off. */
  readonly postponedRefreshes: number
  readonly capacity: Bytes
}

/** Fixed costs of the control cores, the DMA and the collectives. */
export interface Control {
  readonly barrierBase: Cycles
  /** Added to a barrier for each tile of the perimeter half, Gx + Gy. */
  readonly barrierPerTile: Cycles
  readonly tileSync: Cycles
  readonly dmaLocal: Cycles
  readonly dmaRowIssue: Cycles
  readonly multicastBase: Cycles
  readonly reductionBase: Cycles
  /** Added to a collective for each participant beyond four. */
  readonly collectivePerTile: Cycles
}

/** Conventions of the kernel library that runs on the chip. */
export interface KernelConventions {
  /** Whether K is transposed after each load, or lies transposed in memory. */
  readonly keyTranspose: 'engine' | 'in-memory'
  /** Into how many row blocks FlashAttention cuts the query rows of a tile, at least. */
  readonly flashRowBlocksPerTile: number
}

/** Peculiarities of the reference simulator and its kernels, each off in a new design. */
export interface ReferenceArtefacts {
  readonly fp16OmitsOutputTraffic: boolean
  readonly partialVectorRowsSkipped: boolean
  readonly causalMaskIgnored: boolean
  readonly rescaleDimensionsSwapped: boolean
  readonly sumBeforeProducts: boolean
}

/** One tile accelerator, in cycles of its clock. */
export interface Chip {
  readonly tiles: { readonly x: number; readonly y: number }
  readonly clock: Hertz
  readonly matrixEngine: MatrixEngine
  readonly vectorEngine: VectorEngine
  readonly l1: { readonly capacity: Bytes; readonly bandwidth: BytesPerCycle }
  readonly noc: Noc
  readonly hbm: Hbm
  readonly control: Control
  readonly kernels: KernelConventions
  readonly artefacts: ReferenceArtefacts
}

export const tileCount = (chip: Pick<Chip, 'tiles'>): number => chip.tiles.x * chip.tiles.y

/** Dense FLOPs of one tile's matrix engine per cycle: two for each multiply-add unit. */
export const tileFlopsPerCycle = (engine: Pick<MatrixEngine, 'height' | 'width'>): Flops =>
  flops(2 * engine.height * engine.width)

export const peakFlops = (chip: Pick<Chip, 'tiles' | 'matrixEngine' | 'clock'>): FlopsPerSecond =>
  flopsPerSecond(tileCount(chip) * tileFlopsPerCycle(chip.matrixEngine) * chip.clock)

/** FLOPs of all matrix engines per cycle, at the dense peak. */
export const chipFlopsPerCycle = (chip: Pick<Chip, 'tiles' | 'matrixEngine'>): number =>
  tileCount(chip) * tileFlopsPerCycle(chip.matrixEngine)
