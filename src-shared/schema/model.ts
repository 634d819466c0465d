import {
  choiceField,
  countField,
  nameField,
  section,
  switchField,
} from '#shared/schema/quantity-field.ts'
import { SCHEMA_VERSION } from '#shared/schema/schema-version.ts'
import { z } from '#shared/schema/zod.ts'
import type { DecoderModel } from '#shared/workload/decoder-model.ts'

const size = (label: string, help: string, max = 1_048_576) =>
  countField({ label, unit: 'elements', help }, { min: 1, max })

const attentionSection = section(
  { label: 'Attention', help: 'Heads and what they keep of a token.' },
  {
    kind: choiceField({ label: 'Kind', help: 'grouped: MHA, GQA, MQA. latent: MLA.' }, [
      'grouped',
      'latent',
    ]),
    heads: countField(
      { label: 'Query heads', unit: 'heads', help: 'Of a layer.' },
      { min: 1, max: 4096 },
    ),
    kvHeads: countField(
      { label: 'KV heads (grouped)', unit: 'heads', help: 'Must divide the query heads.' },
      { min: 1, max: 4096 },
    ).optional(),
    headDim: size('Head dimension (grouped)', 'Of a query, key or value.', 4096).optional(),
    queryRank: size('Query rank (latent)', 'Of the compressed query.').optional(),
    latentDim: size(
      'Latent dimension (latent)',
      'Of the compressed keys and values.',
      8192,
    ).optional(),
    ropeDim: size('Rope dimension (latent)', 'Of the part with the position.', 8192).optional(),
    nopeDim: size('Nope dimension (latent)', 'Of the part of a head without it.', 8192).optional(),
    valueDim: size('Value dimension (latent)', 'Of the output of a head.', 8192).optional(),
    absorbed: switchField({
      label: 'Absorbed (latent)',
      help: 'Decode works on the latent itself; else it expands the whole context in each step.',
    }).optional(),
  },
)

const grouped = ['kvHeads', 'headDim'] as const
const latent = ['queryRank', 'latentDim', 'ropeDim', 'nopeDim', 'valueDim', 'absorbed'] as const

/** A decoder as it is written in a file. */
export const modelSchema = z
  .strictObject({
    schemaVersion: z.literal(SCHEMA_VERSION),
    name: nameField,
    layers: countField(
      { label: 'Layers', unit: 'layers', help: 'Without MTP modules.' },
      { min: 1, max: 1024 },
    ),
    hiddenSize: size('Hidden size', 'Elements of a token between the layers.'),
    vocabulary: size('Vocabulary', 'Rows of embedding and head.', 16_777_216),
    untiedHead: switchField({
      label: 'Untied head',
      help: 'The head has a matrix of its own, not that of the embedding.',
    }),
    attention: attentionSection,
    denseLayers: countField(
      {
        label: 'Dense layers',
        unit: 'layers',
        help: 'First layers with a plain MLP; all where there are no experts.',
      },
      { min: 0, max: 1024 },
    ),
    denseInner: size('Dense MLP', 'Inner dimension of a dense layer.'),
    experts: section(
      { label: 'Experts', help: 'Of the layers that are not dense.' },
      {
        routed: countField(
          { label: 'Routed', unit: 'experts', help: '0: no experts.' },
          { min: 0, max: 4096 },
        ),
        shared: countField(
          { label: 'Shared', unit: 'experts', help: 'That every token goes to.' },
          { min: 0, max: 64 },
        ),
        topK: countField(
          { label: 'Per token', unit: 'experts', help: 'Routed experts of a token.' },
          { min: 0, max: 64 },
        ),
        inner: size('Inner dimension', 'Of one expert.'),
      },
    ),
    mtpModules: countField(
      { label: 'MTP modules', unit: 'modules', help: 'Layers that draft further tokens.' },
      { min: 0, max: 16 },
    ),
    maxLength: countField(
      { label: 'Longest sequence', unit: 'tokens', help: 'That the model was made for.' },
      { min: 1, max: 16_777_216 },
    ),
    dtype: choiceField({ label: 'Data type', help: 'Of weights and activations.' }, [
      'fp16',
      'fp8',
    ]),
  })
  .superRefine(({ layers, denseLayers, attention, experts }, context) => {
    const refuse = (path: string[], message: string) => {
      context.addIssue({ code: 'custom', path, message })
    }
    const { kind, heads, kvHeads } = attention
    for (const field of kind === 'grouped' ? grouped : latent) {
      if (attention[field] === undefined) {
        refuse(['attention', field], `is missing; attention of kind ${kind} needs it`)
      }
    }
    for (const field of kind === 'grouped' ? latent : grouped) {
      if (attention[field] !== undefined) {
        refuse(
          ['attention', field],
          `is not for attention of kind ${kind}, got ${String(attention[field])}`,
        )
      }
    }
    if (kvHeads !== undefined && heads % kvHeads !== 0) {
      refuse(
        ['attention', 'kvHeads'],
        `must divide the ${String(heads)} query heads, got ${String(kvHeads)}; allowed are ${divisorsUpTo(heads).join(', ')}`,
      )
    }
    if (denseLayers > layers) {
      refuse(
        ['denseLayers'],
        `must be at most ${String(layers)}, the layers, got ${String(denseLayers)}`,
      )
    }
    if (experts.topK > experts.routed) {
      refuse(
        ['experts', 'topK'],
        `must be at most ${String(experts.routed)}, the routed experts, got ${String(experts.topK)}`,
      )
    }
    if (experts.routed > 0 && experts.topK === 0) {
      refuse(['experts', 'topK'], 'must be at least 1 where there are routed experts, got 0')
    }
    if (experts.routed === 0 && denseLayers !== layers) {
      refuse(
        ['denseLayers'],
        `must be ${String(layers)}, all layers, where there are no routed experts, got ${String(denseLayers)}`,
      )
    }
  })
  .meta({ title: 'Tessera model' })

export type ModelConfig = z.infer<typeof modelSchema>

/** Called for what is out of range, too: no more than the largest number of heads is tried. */
const divisorsUpTo = (value: number): number[] =>
  Array.from({ length: Math.min(4096, value) }, (_, index) => index + 1).filter(
    divisor => value % divisor === 0,
  )

/** The shape without its name. */
export function resolveModel(config: ModelConfig): DecoderModel {
  const { attention, hiddenSize, vocabulary, untiedHead, denseLayers, denseInner } = config
  const { layers, experts, mtpModules, maxLength, dtype } = config
  return {
    ...{ layers, vocabulary, untiedHead, denseLayers, denseInner, mtpModules },
    ...{ experts, maxLength, dtype },
    hidden: hiddenSize,
    attention:
      attention.kind === 'grouped'
        ? {
            kind: 'grouped',
            heads: attention.heads,
            kvHeads: attention.kvHeads ?? attention.heads,
            headDim: attention.headDim ?? 1,
          }
        : {
            kind: 'latent',
            heads: attention.heads,
            queryRank: attention.queryRank ?? 1,
            latentDim: attention.latentDim ?? 1,
            ropeDim: attention.ropeDim ?? 1,
            nopeDim: attention.nopeDim ?? 1,
            valueDim: attention.valueDim ?? 1,
            absorbed: attention.absorbed ?? true,
          },
  }
}
