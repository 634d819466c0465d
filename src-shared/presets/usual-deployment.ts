import { expertSplits } from '#shared/schema/decode-input.ts'
import type { DeploymentConfig } from '#shared/schema/deployment.ts'
import type { ModelConfig } from '#shared/schema/model.ts'
import type { SystemConfig } from '#shared/schema/system.ts'

interface Split {
  readonly expertParallel: number | undefined
  readonly pipelineParallel: number | undefined
}

/**
 * The deployment of a model on a system where nothing else is said.
 *
 * The split uses all chips, with up to 32 of them for the experts; a system with reference artefacts
 * is timed as the published one, layers and all; formats follow the model's. Two tokens of a sequence
 * in an iteration, a draft accepted with 0.7: as the published deployments.
 *
 * Source: arXiv 2604.02110, Table II.
 * Checked by: test/src-shared/presets/usual-deployment.test.ts
 */
export function usualDeployment(
  system: SystemConfig,
  model: ModelConfig,
  split: Split = { expertParallel: undefined, pipelineParallel: undefined },
): DeploymentConfig {
  const isReference = Object.values(system.referenceArtefacts).some(Boolean)
  const isEightBit = model.dtype === 'fp8'
  const chips = system.chips.x * system.chips.y
  const { pipelineParallel } = split
  const most =
    pipelineParallel === undefined
      ? 32
      : Math.max(1, Math.floor(chips / Math.max(1, pipelineParallel)))
  const splits = expertSplits(system, model, 0).filter(size => size <= most)
  const expertParallel = split.expertParallel ?? splits.at(-1) ?? 1
  const left = Math.floor(chips / Math.max(1, expertParallel))
  return {
    batchPerChip: 256,
    kvLength: 4096,
    expertParallel,
    pipelineParallel: pipelineParallel ?? Math.max(1, Math.min(model.layers, left)),
    attention: 'flat',
    speculativeLength: 2,
    acceptance: 0.7,
    routing: 'balanced',
    seed: 1,
    zipfExponent: 1,
    redundantExperts: 0,
    dispatchFormat: isEightBit ? 'fp8' : 'bf16',
    combineFormat: 'bf16',
    onceForEachChip: false,
    communication: 'barrier',
    exchangeEngine: 'closed-form',
    layers: isReference ? 'equal-moe' : 'exact',
    kvLayout: isEightBit ? 'fp8' : 'bf16',
    ignoreCapacity: false,
    referenceArtefacts: { firstTileTimer: isReference, downProjectionLikeUp: isReference },
  }
}
