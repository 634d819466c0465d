import type { AttentionWorkload } from '#shared/workload/attention.ts'
import { choiceField, countField, nameField, switchField } from '#shared/schema/quantity-field.ts'
import { SCHEMA_VERSION } from '#shared/schema/schema-version.ts'
import { z } from '#shared/schema/zod.ts'

const mostHeads = 4096

/** A dimension that only MLA has; left out, it is that of DeepSeek. */
const latentField = (label: string, help: string) =>
  countField({ label, unit: 'elements', help }, { min: 1, max: 8192 }).optional()

/** One attention layer as it is written in a file. */
export const workloadSchema = z
  .strictObject({
    schemaVersion: z.literal(SCHEMA_VERSION),
    name: nameField,
    variant: choiceField(
      {
        label: 'Variant',
        help: 'mha: a KV head for each query head. gqa: shared by some. mqa: one for all. mla: latent.',
      },
      ['mha', 'gqa', 'mqa', 'mla'],
    ),
    phase: choiceField(
      {
        label: 'Phase',
        help: 'prefill: the whole prompt at once. decode: one step of generation.',
      },
      ['prefill', 'decode'],
    ),
    batch: countField(
      { label: 'Batch', unit: 'sequences', help: 'Sequences computed together.' },
      { min: 1, max: 65_536 },
    ),
    heads: countField(
      { label: 'Query heads', unit: 'heads', help: 'Of one layer.' },
      { min: 1, max: mostHeads },
    ),
    kvHeads: countField(
      {
        label: 'KV heads',
        unit: 'heads',
        help: 'Must divide the query heads. mla shares one latent in decode and has one for each head in prefill.',
      },
      { min: 1, max: mostHeads },
    ),
    headDim: countField(
      {
        label: 'Head dimension',
        unit: 'elements',
        help: 'Of one query, key or value vector; mla has four dimensions of its own instead.',
      },
      { min: 1, max: 4096 },
    ),
    queryLength: countField(
      { label: 'Query length', unit: 'tokens', help: 'Tokens of the prompt; 1 in decode.' },
      { min: 1, max: 16_777_216 },
    ),
    kvLength: countField(
      { label: 'KV length', unit: 'tokens', help: 'Tokens attended to.' },
      { min: 0, max: 16_777_216 },
    ),
    speculativeLength: countField(
      {
        label: 'Speculative length',
        unit: 'tokens',
        help: 'Tokens verified in one step; 1 without speculation.',
      },
      { min: 1, max: 64 },
    ),
    causal: switchField({
      label: 'Causal mask',
      help: 'A query sees only keys up to its own position (aligned at the end of KV).',
    }),
    dtype: choiceField({ label: 'Data type', help: 'Of Q, K, V, the scores and O.' }, [
      'fp16',
      'fp8',
    ]),
    latentDim: latentField(
      'Latent dimension (mla)',
      'Of the compressed keys and values that all heads share; 512 where left out.',
    ),
    ropeDim: latentField(
      'Rope dimension (mla)',
      'Of the part of queries and keys with the position; 64 where left out.',
    ),
    nopeDim: latentField(
      'Nope dimension (mla)',
      'Of the part of queries and keys of a head without position; 128 where left out.',
    ),
    valueDim: latentField(
      'Value dimension (mla)',
      'Of the values and the output of a head; 128 where left out.',
    ),
  })
  .superRefine((workload, context) => {
    const { variant, heads, kvHeads, phase, queryLength } = workload
    const issue = (path: string, message: string) => {
      context.addIssue({ code: 'custom', path: [path], message })
    }
    if (variant === 'mha' && kvHeads !== heads) {
      issue(
        'kvHeads',
        `must equal heads (${String(heads)}) for variant mha, got ${String(kvHeads)}`,
      )
    } else if (variant === 'mqa' && kvHeads !== 1) {
      issue('kvHeads', `must be 1 for variant mqa, got ${String(kvHeads)}`)
      // Called for what is out of range, too: the divisors of 10^15 would take all the memory.
    } else if (heads <= mostHeads && heads % kvHeads !== 0) {
      issue(
        'kvHeads',
        `must divide heads: ${String(heads)} heads cannot be shared out over ${String(kvHeads)} KV heads; ` +
          `allowed are ${divisors(heads).join(', ')}`,
      )
    }
    if (phase === 'decode' && queryLength !== 1) {
      issue(
        'queryLength',
        `must be 1 in decode, got ${String(queryLength)}; use speculativeLength for more rows`,
      )
    }
    for (const field of latentFields) {
      const value = workload[field]
      if (variant !== 'mla' && value !== undefined) {
        issue(field, `is for variant mla only, got ${String(value)} for variant ${variant}`)
      }
    }
  })
  .meta({ title: 'Tessera workload' })

/** The dimensions that only MLA has. */
export const latentFields = ['latentDim', 'ropeDim', 'nopeDim', 'valueDim'] as const

export type WorkloadConfig = z.infer<typeof workloadSchema>

const divisors = (value: number): number[] =>
  Array.from({ length: value }, (_, index) => index + 1).filter(divisor => value % divisor === 0)

/** The shape without its name. */
export function resolveWorkload(config: WorkloadConfig): AttentionWorkload {
  const shape = {
    variant: config.variant,
    phase: config.phase,
    batch: config.batch,
    heads: config.heads,
    kvHeads: config.kvHeads,
    headDim: config.headDim,
    queryLength: config.queryLength,
    kvLength: config.kvLength,
    speculativeLength: config.speculativeLength,
    causal: config.causal,
    dtype: config.dtype,
  }
  const { latentDim, ropeDim, nopeDim, valueDim } = config
  return config.variant === 'mla' ? { ...shape, latentDim, ropeDim, nopeDim, valueDim } : shape
}
