import { secondsOf, type KernelTimer } from '#shared/models/decode/kernel-cost.ts'
import type { LayerTime } from '#shared/models/decode/layer-time.ts'
import type { LayerCounting, PipelineStage } from '#shared/models/decode/pipeline-stages.ts'
import { times, type KernelCall } from '#shared/workload/decode-kernels.ts'

/** Times of the parts that stages are made of. */
export interface ModelParts {
  readonly dense: LayerTime
  readonly expert: LayerTime
  /** Norm and head at the end of the last stage. */
  readonly head: readonly KernelCall[]
  /** One MTP module with its head, and how often it runs in an iteration. */
  readonly draft: LayerTime
  readonly drafts: number
}

export interface StageTime {
  readonly stage: PipelineStage
  readonly calls: readonly KernelCall[]
  readonly kernelSeconds: number
  readonly exposedSeconds: number
  readonly seconds: number
  /** Without head and drafts. */
  readonly layerSeconds: number
}

/** Time of one stage: its layers one after the other, then head and drafts. */
export function stageTime(stage: PipelineStage, parts: ModelParts, timer: KernelTimer): StageTime {
  const { dense, expert, draft } = parts
  const drafts = stage.hasHead ? parts.drafts : 0
  const head = stage.hasHead ? parts.head : []
  const calls = [
    ...times(dense.calls, stage.denseLayers),
    ...times(expert.calls, stage.expertLayers),
    ...head,
    ...times(draft.calls, drafts),
  ].filter(({ count }) => count > 0)
  const layerSeconds = stage.denseLayers * dense.seconds + stage.expertLayers * expert.seconds
  const exposedSeconds =
    stage.denseLayers * dense.exposedSeconds +
    stage.expertLayers * expert.exposedSeconds +
    drafts * draft.exposedSeconds
  return {
    ...{ stage, calls, layerSeconds, exposedSeconds },
    kernelSeconds:
      stage.denseLayers * dense.kernelSeconds +
      stage.expertLayers * expert.kernelSeconds +
      secondsOf(head, timer) +
      drafts * draft.kernelSeconds,
    seconds: layerSeconds + secondsOf(head, timer) + drafts * draft.seconds,
  }
}

export interface IterationTime {
  readonly seconds: number
  /** What of it hand-overs between stages take. */
  readonly pipelineSeconds: number
  /** Mean over slowest time of a stage. */
  readonly efficiency: number
  readonly fillSeconds: number
}

/**
 * Time until a sequence comes round to the first stage again; as many batches as stages are under way.
 *
 *   exact      T = P · (max over stages of t_stage + t_h), with one stage t_stage
 *   equal-moe  T = Σ t_stage + (P − 1) · t_h: layers spread evenly, as if stages had fractions of them
 *
 * P  stages    t_h  hand-over of the tokens to the next stage
 * In step with the slowest stage every other one waits: that is the imbalance of the pipeline,
 * 1 − mean / max. It is filled after (P − 1) · (max t_stage + t_h).
 *
 * Source: a closed ring of P servers with P jobs; equal-moe is the formula behind Table II of
 *   arXiv 2604.02110, 61 · t_layer.
 * Holds when: every batch is as large, and sampling takes no time.
 * Checked by: test/src-shared/models/decode/layer-time.test.ts
 */
export function iterationTime(
  stages: readonly StageTime[],
  handOverSeconds: number,
  counting: LayerCounting,
): IterationTime {
  const all = stages.map(({ seconds }) => seconds)
  const sum = all.reduce((total, seconds) => total + seconds, 0)
  const slowest = Math.max(...all)
  const count = stages.length
  const handOvers = count === 1 ? 0 : counting === 'exact' ? count : count - 1
  const pipelineSeconds = handOvers * handOverSeconds
  return {
    seconds: (counting === 'exact' ? count * slowest : sum) + pipelineSeconds,
    pipelineSeconds,
    efficiency: slowest > 0 ? sum / (count * slowest) : 1,
    fillSeconds: (count - 1) * (slowest + handOverSeconds),
  }
}
