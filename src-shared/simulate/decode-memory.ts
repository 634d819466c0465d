import { chipCount, type Wafer } from '#shared/hardware/wafer.ts'
import { memoryDemand } from '#shared/models/decode/memory-demand.ts'
import { pipelineStages } from '#shared/models/decode/pipeline-stages.ts'
import type { DecodeMemory } from '#shared/results/decode-result.ts'
import { expertSplits } from '#shared/schema/decode-input.ts'
import type { DeploymentConfig } from '#shared/schema/deployment.ts'
import type { ModelConfig } from '#shared/schema/model.ts'
import { InfeasibleError } from '#shared/simulate/simulation.ts'
import { formatBytes } from '#shared/units/format.ts'
import { elementBytes } from '#shared/workload/attention.ts'
import type { DecoderModel } from '#shared/workload/decoder-model.ts'

/** What a deployment needs of the memory of each chip. */
export function deploymentMemory(
  model: DecoderModel,
  deployment: DeploymentConfig,
  wafer: Wafer,
): DecodeMemory {
  const { batchPerChip, speculativeLength, kvLength, expertParallel } = deployment
  return memoryDemand(model, {
    tokens: { batch: batchPerChip, speculativeLength, kvLength },
    stages: pipelineStages(model, deployment.pipelineParallel, deployment.layers),
    expertChips: expertParallel,
    redundantExperts: deployment.redundantExperts,
    kvLayout: deployment.kvLayout,
    capacity: wafer.chip.hbm.capacity,
  })
}

/**
 * Refuses what does not fit on the fullest chip.
 *
 * @throws InfeasibleError with what is missing, and the nearest batch, KV length and split that fit
 */
export function checkMemory(
  model: DecoderModel,
  deployment: DeploymentConfig,
  wafer: Wafer,
  config: ModelConfig,
): void {
  const memory = deploymentMemory(model, deployment, wafer)
  if (memory.missingBytes === 0) return
  const fitsWith = (change: Partial<DeploymentConfig>) =>
    deploymentMemory(model, { ...deployment, ...change }, wafer).missingBytes === 0
  const { batchPerChip, kvLength, speculativeLength } = deployment
  const batch = largest(batchPerChip, 1, value => fitsWith({ batchPerChip: value }))
  const length = largest(kvLength, speculativeLength, value => fitsWith({ kvLength: value }))
  const split = nearestSplit(deployment, wafer, config, fitsWith)
  const ways = [
    batch === undefined ? '' : `batchPerChip ${String(batch)}`,
    length === undefined ? '' : `kvLength ${String(length)}`,
    split === undefined
      ? ''
      : `expertParallel ${String(split.expertParallel)} with pipelineParallel ${String(split.pipelineParallel)}`,
  ].filter(text => text !== '')
  const expert = elementBytes(model.dtype) * 3 * model.hidden * model.experts.inner
  const tooSmall =
    model.experts.routed > 0 && expert > wafer.chip.hbm.capacity
      ? '; a single expert is larger than the memory of a chip'
      : ''
  throw new InfeasibleError(
    `deployment: does not fit, ${formatBytes(memory.missingBytes)} are missing on the fullest chip: ` +
      `${formatBytes(memory.weightsBytes)} of weights, ${formatBytes(memory.kvCacheBytes)} of KV cache and ` +
      `${formatBytes(memory.activationBytes)} of activations, but system.chip.hbm.capacityGiB gives ` +
      `${formatBytes(memory.capacityBytes)}; nearest that fits, each with the rest as it is: ` +
      `${ways.length > 0 ? ways.join(', or ') : `none${tooSmall}`}; ` +
      'deployment.ignoreCapacity true times it all the same',
  )
}

/** The largest value below `from`, down to `least`, that fits. */
function largest(
  from: number,
  least: number,
  fits: (value: number) => boolean,
): number | undefined {
  if (from <= least || !fits(least)) return undefined
  let low = least
  let high = from
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (fits(middle)) low = middle
    else high = middle
  }
  return low
}

type Split = Pick<DeploymentConfig, 'expertParallel' | 'pipelineParallel'>

/** The split that fits and is nearest in proportion, first of those that use all chips. */
function nearestSplit(
  deployment: DeploymentConfig,
  wafer: Wafer,
  model: ModelConfig,
  fitsWith: (change: Split) => boolean,
): Split | undefined {
  const distance = (split: Split) =>
    Math.abs(Math.log(split.expertParallel / deployment.expertParallel)) +
    Math.abs(Math.log(split.pipelineParallel / deployment.pipelineParallel))
  return deploymentSplits(wafer, model, deployment.redundantExperts)
    .filter(fitsWith)
    .toSorted((a, b) => distance(a) - distance(b))[0]
}

/** Every division of the chips among experts and stages, in powers of two or as the layers allow. */
export function deploymentSplits(
  wafer: Wafer,
  model: ModelConfig,
  redundantExperts: number,
): Split[] {
  const chips = chipCount(wafer)
  const grid = { chips: { x: wafer.columns, y: wafer.rows } }
  return expertSplits(grid, model, redundantExperts).flatMap(expertParallel => {
    const most = Math.min(model.layers, Math.floor(chips / expertParallel))
    const powers = Array.from({ length: Math.floor(Math.log2(most)) + 1 }, (_, power) => 2 ** power)
    const stages = powers.includes(most) ? powers : [...powers, most]
    return stages.map(pipelineParallel => ({ expertParallel, pipelineParallel }))
  })
}
