import type { CheckResult } from '#shared/results/check-result.ts'
import type { ResultDocument } from '#shared/results/result-document.ts'
import { dataflowField, type AttentionInput } from '#shared/schema/attention-input.ts'
import { chipSchema } from '#shared/schema/chip.ts'
import { mappingSchema } from '#shared/schema/mapping.ts'
import { choiceField, countField } from '#shared/schema/quantity-field.ts'
import { workloadSchema } from '#shared/schema/workload.ts'
import { z } from '#shared/schema/zod.ts'

export const checkPrecisions = ['fp64', 'fp16', 'fp8'] as const

export type CheckPrecision = (typeof checkPrecisions)[number]

/** Everything that decides the numbers of one check, fully resolved. */
export const checkInputSchema = z.strictObject({
  kind: z.literal('check'),
  engine: z.literal('event'),
  loaders: z.enum(['diagonal', 'edge']),
  chip: chipSchema,
  workload: workloadSchema,
  dataflow: dataflowField,
  mapping: mappingSchema,
  precision: choiceField(
    { label: 'Precision', help: 'Format in which the numbers are computed.' },
    checkPrecisions,
  ),
  seed: countField(
    { label: 'Seed', unit: '', help: 'Of the pseudo-random Q, K and V.' },
    { min: 0, max: 2 ** 31 - 1 },
  ),
})

export type CheckInput = z.infer<typeof checkInputSchema>

/** The document says of itself that it is a check: it has no runtime. */
export type CheckDocument = { readonly kind: 'check' } & ResultDocument<CheckInput, CheckResult>

/** The check of the kernel that an input describes. */
export const checkInputOf = (
  { loaders = 'diagonal', chip, workload, dataflow, mapping }: AttentionInput,
  precision: CheckPrecision,
  seed = 1,
): CheckInput => ({
  kind: 'check',
  engine: 'event',
  loaders,
  chip,
  workload,
  dataflow,
  mapping,
  precision,
  seed,
})
