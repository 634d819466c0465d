import type { Bound } from '#shared/results/attention-result.ts'
import type { LinkLoad } from '#shared/results/communication-result.ts'

/** All runs of one kernel in an iteration, on one chip of a pipeline stage. */
export interface DecodeKernelRow {
  readonly name: string
  /** Pipeline stage, counted from 0. */
  readonly stage: number
  /** How often the kernel runs in one iteration. */
  readonly count: number
  /** All these runs together. */
  readonly seconds: number
  /** Of the time of all kernels of the stage. */
  readonly share: number
  readonly matrixUtilization: number
  readonly hbmBandwidthUtilization: number
  readonly flops: number
  readonly hbmBytes: number
  /** That of the longest run. */
  readonly bound: Bound
}

/** What the fullest chip of a stage holds. */
export interface StageMemory {
  readonly stage: number
  readonly layers: number
  readonly weightsBytes: number
  readonly kvCacheBytes: number
  readonly activationBytes: number
  readonly totalBytes: number
  readonly freeBytes: number
}

export interface DecodeMemory {
  /** Of the fullest stage. */
  readonly weightsBytes: number
  readonly kvCacheBytes: number
  readonly activationBytes: number
  readonly totalBytes: number
  readonly capacityBytes: number
  /** 0 where it fits. */
  readonly missingBytes: number
  readonly perStage: readonly StageMemory[]
}

export interface DecodeCommunication {
  /** Of one layer; with overlap of both halves of the batch. */
  readonly dispatchSeconds: number
  readonly combineSeconds: number
  /** What an iteration waits for hand-overs between stages. */
  readonly pipelineSeconds: number
  /** What a layer waits for dispatch and combine: nothing where kernels hide them. */
  readonly exposedSeconds: number
  /** Over one link in one exchange of a layer. */
  readonly maxLinkBytes: number
  readonly links: readonly LinkLoad[]
}

/** How even the stages are. */
export interface PipelineBalance {
  /** Whole layers of each stage. */
  readonly layersPerStage: readonly number[]
  readonly stageSeconds: readonly number[]
  /** Mean over slowest time of a stage. */
  readonly efficiency: number
  /** Until the last stage has its first work. */
  readonly fillSeconds: number
  /** Copies of the whole pipeline side by side, and chips that are in none. */
  readonly replicas: number
  readonly idleChips: number
}

/** Parameters of the model as its authors count them; active: those that one token meets. */
export interface ParameterSummary {
  readonly total: number
  /** Without embedding and head. */
  readonly active: number
  readonly activeWithHead: number
  readonly activeWithBoth: number
}

/** Field names are part of the command line's contract; SI units in the name. */
export interface DecodeResult {
  /** From one accepted token of a user to the next, on average. */
  readonly tpotSeconds: number
  /** Until a sequence comes round to the first stage again. */
  readonly iterationSeconds: number
  /** Mean of all layers, with their communication. */
  readonly layerSeconds: number
  /** Over all chips of the system, idle ones too. */
  readonly tokensPerSecondPerChip: number
  /** Over the chips that are in a stage of a pipeline. */
  readonly tokensPerSecondPerBusyChip: number
  readonly systemTokensPerSecond: number
  readonly tokensPerIteration: number
  readonly tokensPerSecondPerUser: number
  readonly fits: boolean
  readonly memory: DecodeMemory
  readonly kernels: readonly DecodeKernelRow[]
  readonly communication: DecodeCommunication
  readonly pipeline: PipelineBalance
  readonly sequencesInFlight: number
  readonly parameters: ParameterSummary
}

/** What a chip works on: a stage of one of the pipelines side by side, counted from 0; null: idle. */
export type ChipRole = { readonly stage: number; readonly replica: number } | null
