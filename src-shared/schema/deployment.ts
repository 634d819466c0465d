import { routingPatterns, tokenFormats } from '#shared/schema/dispatch-input.ts'
import {
  choiceField,
  countField,
  numberOrListField,
  quantityField,
  section,
  switchField,
} from '#shared/schema/quantity-field.ts'
import { z } from '#shared/schema/zod.ts'

export const decodeAttentions = ['flat', 'flash', 'flash-fair'] as const
export type DecodeAttention = (typeof decodeAttentions)[number]
export const communicationModes = ['barrier', 'overlap', 'none'] as const
export const layerCountings = ['equal-moe', 'exact'] as const
export const kvLayouts = ['fp8', 'fp8-packed', 'bf16', 'int4'] as const

/** How a model is spread over the chips of a system, and what its users do. */
export const deploymentSchema = z
  .strictObject({
    batchPerChip: countField(
      { label: 'Batch', unit: 'sequences', help: 'That a chip computes together.' },
      { min: 1, max: 65_536 },
    ),
    kvLength: countField(
      {
        label: 'KV length',
        unit: 'tokens',
        help: 'Context of each sequence, with the new tokens.',
      },
      { min: 1, max: 16_777_216 },
    ),
    expertParallel: countField(
      { label: 'Expert parallel', unit: 'chips', help: 'Chips that share the experts of a layer.' },
      { min: 1, max: 1024 },
    ),
    pipelineParallel: countField(
      { label: 'Pipeline parallel', unit: 'stages', help: 'Stages that share the layers.' },
      { min: 1, max: 1024 },
    ),
    attention: choiceField(
      {
        label: 'Attention',
        help: 'flat: groups of tiles. flash: a tile for each sequence. flash-fair: the same on all tiles.',
      },
      decodeAttentions,
    ),
    speculativeLength: countField(
      {
        label: 'Speculative length',
        unit: 'tokens',
        help: 'Tokens of a sequence in one iteration: one and its drafts.',
      },
      { min: 1, max: 64 },
    ),
    acceptance: numberOrListField(
      {
        label: 'Acceptance',
        unit: '1',
        help: 'Chance of a draft, where those before it were accepted. One for all, or a list with one for each draft.',
      },
      { min: 0, max: 1 },
      { most: 63 },
    ),
    routing: choiceField(
      {
        label: 'Routing',
        help: 'balanced: all experts alike, in order. uniform: by chance. zipf: some far more often.',
      },
      routingPatterns,
    ),
    seed: countField(
      { label: 'Seed', unit: '1', help: 'Of uniform and zipf.' },
      { min: 0, max: 2 ** 31 - 1 },
    ),
    zipfExponent: quantityField(
      { label: 'Zipf exponent', unit: '1', help: 'Of zipf: weight 1 / rank to this power.' },
      { min: 0, max: 4 },
    ),
    redundantExperts: countField(
      {
        label: 'Redundant experts',
        unit: 'copies',
        help: 'Further copies of the busiest experts.',
      },
      { min: 0, max: 4096 },
    ),
    dispatchFormat: choiceField(
      { label: 'Dispatch', help: 'How tokens go to the experts.' },
      tokenFormats,
    ),
    combineFormat: choiceField({ label: 'Combine', help: 'How results come back.' }, tokenFormats),
    onceForEachChip: switchField({
      label: 'Once for each chip',
      help: 'A chip with several experts of a token gets it once, and returns one sum.',
    }),
    communication: choiceField(
      {
        label: 'Communication',
        help: 'barrier: between kernels. overlap: of one half of the batch during kernels of the other. none: left out.',
      },
      communicationModes,
    ),
    exchangeEngine: choiceField(
      { label: 'Exchange', help: 'closed-form: the busiest link. event: every flit.' },
      ['closed-form', 'event'],
    ),
    layers: choiceField(
      {
        label: 'Layers',
        help: 'exact: dense and expert layers in whole stages, head and MTP. equal-moe: equal expert layers, spread evenly, as the paper counts.',
      },
      layerCountings,
    ),
    kvLayout: choiceField(
      {
        label: 'KV layout',
        help: 'fp8: bare. fp8-packed: with scales, rope in 16 bit. bf16. int4: half a byte, bare.',
      },
      kvLayouts,
    ),
    ignoreCapacity: switchField({
      label: 'Ignore capacity',
      help: 'Time it even if it does not fit in memory.',
    }),
    referenceArtefacts: section(
      {
        label: 'Reference artefacts',
        help: 'How the published layers are timed. Leave off in a new design.',
      },
      {
        firstTileTimer: switchField({
          label: 'First-tile timer',
          help: 'Vector kernels end when tile 0 is through.',
        }),
        downProjectionLikeUp: switchField({
          label: 'Down-projection like up',
          help: 'The down-projection of an MLP is timed with the shape of the other two.',
        }),
      },
    ),
  })
  .meta({ title: 'Tessera deployment' })

export type DeploymentConfig = z.infer<typeof deploymentSchema>
