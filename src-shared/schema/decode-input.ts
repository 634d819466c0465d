import type { DecodeResult } from '#shared/results/decode-result.ts'
import type { ResultDocument } from '#shared/results/result-document.ts'
import { deploymentSchema, type DeploymentConfig } from '#shared/schema/deployment.ts'
import { engineField } from '#shared/schema/engine-field.ts'
import { modelSchema, type ModelConfig } from '#shared/schema/model.ts'
import { systemSchema, type SystemConfig } from '#shared/schema/system.ts'
import { z } from '#shared/schema/zod.ts'

interface Parts {
  readonly system: SystemConfig
  readonly model: ModelConfig
  readonly deployment: DeploymentConfig
}

type Refuse = (path: readonly string[], message: string) => void

/** Everything that decides the numbers of a deployment, fully resolved. */
export const decodeInputSchema = z
  .strictObject({
    kind: z.literal('decode'),
    /** That of the kernels; exchanges have deployment.exchangeEngine. */
    engine: engineField,
    system: systemSchema,
    model: modelSchema,
    deployment: deploymentSchema,
  })
  .superRefine((input, context) => {
    checkDeployment(input, (path, message) => {
      context.addIssue({ code: 'custom', path: ['deployment', ...path], message })
    })
  })
  .meta({ title: 'Tessera decode' })

export type DecodeInput = z.infer<typeof decodeInputSchema>
export type DecodeDocument = ResultDocument<DecodeInput, DecodeResult>

/** What is wrong between the parts, each with the nearest valid choice. */
export function checkDeployment({ system, model, deployment }: Parts, refuse: Refuse): void {
  const { expertParallel, pipelineParallel, batchPerChip, communication } = deployment
  const { redundantExperts, speculativeLength, kvLength } = deployment
  const chips = system.chips.x * system.chips.y
  // Where a number is out of its range there is a message already, and others would only confuse.
  if (Math.min(expertParallel, pipelineParallel, chips, model.layers) < 1) return
  const splits = expertSplits(system, model, redundantExperts)
  const { routed } = model.experts
  if (!splits.includes(expertParallel)) {
    const copies = redundantExperts === 0 ? '' : ` and ${String(redundantExperts)} further copies`
    const experts = routed === 0 ? '' : ` and divide the ${String(routed)} experts${copies}`
    refuse(
      ['expertParallel'],
      `must cut the ${String(system.chips.x)} x ${String(system.chips.y)} chips into equal rectangles${experts}, ` +
        `got ${String(expertParallel)}; allowed are ${splits.join(', ')}; nearest is ${String(nearest(splits, expertParallel))}`,
    )
  }
  if (routed > 0 && redundantExperts > routed * (expertParallel - 1)) {
    refuse(
      ['redundantExperts'],
      `must be at most ${String(routed * (expertParallel - 1))}, a copy of each expert on every other chip, got ${String(redundantExperts)}`,
    )
  }
  if (pipelineParallel > model.layers) {
    refuse(
      ['pipelineParallel'],
      `must be at most ${String(model.layers)}, the layers of the model, got ${String(pipelineParallel)}; ` +
        `nearest is ${String(Math.min(model.layers, Math.floor(chips / expertParallel)))}`,
    )
  } else if (expertParallel <= chips && expertParallel * pipelineParallel > chips) {
    refuse(
      ['pipelineParallel'],
      `must be at most ${String(Math.floor(chips / expertParallel))}: ${String(expertParallel)} x ${String(pipelineParallel)} chips are more than the ${String(chips)} of the system, got ${String(pipelineParallel)}`,
    )
  }
  if (communication === 'overlap' && batchPerChip < 2) {
    refuse(
      ['batchPerChip'],
      `must be at least 2 for communication overlap, which halves the batch, got ${String(batchPerChip)}`,
    )
  }
  const { acceptance } = deployment
  if (Array.isArray(acceptance) && acceptance.length !== speculativeLength - 1) {
    refuse(
      ['acceptance'],
      `must be one number, or a list with one for each of the ${String(speculativeLength - 1)} drafts of speculativeLength ${String(speculativeLength)}, got ${String(acceptance.length)}`,
    )
  }
  if (speculativeLength > kvLength) {
    refuse(
      ['speculativeLength'],
      `must be at most ${String(kvLength)}, the kvLength that includes the new tokens, got ${String(speculativeLength)}`,
    )
  }
  if (model.attention.kind === 'grouped' && deployment.attention === 'flash-fair') {
    refuse(
      ['attention'],
      'must be flat or flash for grouped attention, got flash-fair: it is a kernel of MLA',
    )
  }
}

/** The sizes of group that divide both the grid of chips and the experts with their copies. */
export function expertSplits(
  { chips }: Pick<SystemConfig, 'chips'>,
  model: ModelConfig,
  redundantExperts: number,
): number[] {
  const copies = model.experts.routed + redundantExperts
  const sizes = new Set(
    divisors(chips.x).flatMap(columns => divisors(chips.y).map(rows => columns * rows)),
  )
  return [...sizes]
    .filter(size => model.experts.routed === 0 || copies % size === 0)
    .toSorted((a, b) => a - b)
}

const divisors = (size: number): number[] =>
  Array.from({ length: size }, (_, index) => index + 1).filter(divisor => size % divisor === 0)

/** Of the allowed sizes the one that is nearest in proportion; of two the larger. */
const nearest = (sizes: readonly number[], wanted: number): number =>
  sizes.reduce((best, size) => (distance(size, wanted) <= distance(best, wanted) ? size : best), 1)

const distance = (size: number, wanted: number): number => Math.abs(Math.log(size / wanted))
