import type { Dataflow } from '#shared/mapping/dataflow.ts'
import type { AttentionResult, MappingResult } from '#shared/results/attention-result.ts'
import type { ResultDocument } from '#shared/results/result-document.ts'
import type { TuneInput } from '#shared/schema/tune-input.ts'

/** Why a mapping is not the one to take. */
export interface Rejection {
  readonly code: 'tie' | 'slower' | 'idle-tiles' | 'l1' | 'refused'
  readonly message: string
}

/** A mapping that could run. */
export interface TimedMapping {
  readonly dataflow: Dataflow
  readonly mapping: MappingResult
  readonly cycles: number
  readonly seconds: number
  readonly matrixUtilization: number
  readonly l1PeakBytes: number
  readonly activeTiles: number
}

export interface RankedMapping extends TimedMapping {
  /** 2 for the first after the best. */
  readonly rank: number
  /** Runtime over that of the best, less 1. */
  readonly slowdown: number
  readonly reason: Rejection
}

/** A mapping that cannot run. */
export interface UnfitMapping {
  readonly dataflow: Dataflow
  readonly groupX: number
  readonly groupY: number
  readonly sliceRows: number
  readonly sliceCols: number
  /** What a tile would need, where it is too much; else null. */
  readonly l1Bytes: number | null
  readonly reason: Rejection
}

/** What the tiling rule and the search find for one dataflow; null where nothing can run. */
export interface DataflowTuning {
  readonly dataflow: Dataflow
  readonly rule: TimedMapping | null
  readonly tuned: TimedMapping | null
  /** Runtime of the rule over that of the search, less 1; null where either is missing. */
  readonly gain: number | null
}

export interface TuneResult {
  /** The fastest, as `tessera attention` computes it. */
  readonly best: AttentionResult & { readonly dataflow: Dataflow }
  readonly dataflows: readonly DataflowTuning[]
  /** Mappings that were tried. */
  readonly searched: number
  /** How many were rejected, by reason; with the best they add up to `searched`. */
  readonly rejected: Readonly<Record<Rejection['code'], number>>
  /** The rest by runtime, as many as were asked for. */
  readonly ranked: readonly RankedMapping[]
  /** Those that cannot run, nearest to fitting first, as many as were asked for. */
  readonly unfit: readonly UnfitMapping[]
}

export type TuneDocument = ResultDocument<TuneInput, TuneResult>
