import type { Bound } from '#shared/results/attention-result.ts'

/** What a deployment is searched over. */
export interface PlanChoice {
  readonly batchPerChip: number
  readonly expertParallel: number
  readonly pipelineParallel: number
  readonly attention: 'flat' | 'flash' | 'flash-fair'
}

/** A point that fits. */
export interface PlanPoint extends PlanChoice {
  readonly tpotSeconds: number
  readonly tokensPerSecondPerUser: number
  readonly tokensPerSecondPerChip: number
  readonly systemTokensPerSecond: number
  readonly sequencesInFlight: number
  /** Of the fullest chip. */
  readonly memoryBytes: number
}

/** A point that does not run. */
export interface UnfitPoint extends PlanChoice {
  /** 0 where it is not memory that is missing. */
  readonly missingBytes: number
  readonly reason: string
}

/** What most of an iteration goes to. */
export interface PlanBottleneck {
  readonly kind: Bound | 'communication' | 'hand-over'
  /** Of the iteration. */
  readonly share: number
  /** The kernel that takes most of it, where kernels do. */
  readonly kernel: string | null
}

/** A change of one thing, and what it would bring with all else as it is. */
export interface PlanChange {
  /** As for --set. */
  readonly set: readonly string[]
  readonly label: string
  readonly tpotSeconds: number
  readonly tokensPerSecondPerChip: number
  /** Throughput over that without the change, less 1. */
  readonly gain: number
}

export interface ExplainedPoint extends PlanPoint {
  readonly bottleneck: PlanBottleneck
  /** Every change that was tried, the best first. */
  readonly changes: readonly PlanChange[]
  /** The best of them; null where none brings anything. */
  readonly nextChange: PlanChange | null
}

/** Field names are part of the command line's contract; SI units in the name. */
export interface PlanResult {
  /** Null where no point meets the limits. */
  readonly best: ExplainedPoint | null
  /** Why there is none; else null. */
  readonly unreachable: string | null
  /** By tokens per second of a user and per chip; in the order of the former. */
  readonly front: readonly ExplainedPoint[]
  readonly points: readonly PlanPoint[]
  readonly unfit: readonly UnfitPoint[]
  readonly searched: number
}
