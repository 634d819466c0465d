import type { DispatchResult } from '#shared/results/communication-result.ts'
import type { ResultDocument } from '#shared/results/result-document.ts'
import {
  choiceField,
  countField,
  quantityField,
  switchField,
} from '#shared/schema/quantity-field.ts'
import { systemSchema } from '#shared/schema/system.ts'
import { z } from '#shared/schema/zod.ts'

export const exchangeEngines = ['event', 'closed-form'] as const
export const routingPatterns = ['balanced', 'uniform', 'zipf'] as const
export const tokenFormats = ['fp8', 'fp8-scaled', 'bf16'] as const

/** Dispatch and combine of one expert layer. */
export const dispatchSchema = z
  .strictObject({
    expertParallel: countField(
      { label: 'Expert parallel', unit: 'chips', help: 'Chips that share the experts of a layer.' },
      { min: 1, max: 1024 },
    ),
    tokensPerChip: countField(
      { label: 'Tokens', unit: 'per chip', help: 'Token rows that each of these chips brings.' },
      { min: 1, max: 8192 },
    ),
    experts: countField(
      { label: 'Experts', unit: 'experts', help: 'Routed experts of the layer.' },
      { min: 1, max: 4096 },
    ),
    topK: countField(
      { label: 'Experts per token', unit: 'experts', help: 'Different experts of each token.' },
      { min: 1, max: 64 },
    ),
    width: countField(
      { label: 'Width', unit: 'elements', help: 'Elements of a token: the hidden size.' },
      { min: 1, max: 1_048_576 },
    ),
    routing: choiceField(
      {
        label: 'Routing',
        help: 'balanced: all experts alike, in order. uniform: by chance. zipf: some far more often.',
      },
      routingPatterns,
    ),
    seed: countField(
      { label: 'Seed', unit: '1', help: 'Of uniform and zipf: another seed, other choices.' },
      { min: 0, max: 2 ** 31 - 1 },
    ),
    zipfExponent: quantityField(
      {
        label: 'Zipf exponent',
        unit: '1',
        help: 'Of zipf: the expert of rank r has the weight 1 / r to this power.',
      },
      { min: 0, max: 4 },
    ),
    redundantExperts: countField(
      {
        label: 'Redundant experts',
        unit: 'copies',
        help: 'Further copies of the busiest experts; with any, all experts are placed by load.',
      },
      { min: 0, max: 4096 },
    ),
    dispatchFormat: choiceField(
      { label: 'Dispatch', help: 'How tokens go out. fp8-scaled: with a scale for 128 elements.' },
      tokenFormats,
    ),
    combineFormat: choiceField({ label: 'Combine', help: 'How results come back.' }, tokenFormats),
    headerBytes: countField(
      { label: 'Header', unit: 'B', help: 'Of each token that travels.' },
      { min: 0, max: 65_536 },
    ),
    onceForEachChip: switchField({
      label: 'Once for each chip',
      help: 'A chip with several experts of a token gets it once, and returns one sum.',
    }),
  })
  .superRefine((dispatch, context) => {
    const { experts, topK, redundantExperts, expertParallel } = dispatch
    const refuse = (field: string, message: string) => {
      context.addIssue({ code: 'custom', path: [field], message })
    }
    if (topK > experts) {
      refuse('topK', `must be at most ${String(experts)}, the experts, got ${String(topK)}`)
    }
    const copies = experts + redundantExperts
    if (copies % expertParallel !== 0) {
      const sum = redundantExperts === 0 ? '' : ` and ${String(redundantExperts)} further copies`
      refuse(
        'expertParallel',
        `must divide the ${String(experts)} experts${sum}, got ${String(expertParallel)}; nearest is ${String(nearestDivisor(copies, expertParallel))}`,
      )
    }
    if (redundantExperts > experts * (expertParallel - 1)) {
      refuse(
        'redundantExperts',
        `must be at most ${String(experts * (expertParallel - 1))}, a copy of each expert on every chip, got ${String(redundantExperts)}`,
      )
    }
  })
  .meta({ title: 'Tessera dispatch' })

/** Everything that decides the numbers of a dispatch, fully resolved. */
export const dispatchInputSchema = z.strictObject({
  kind: z.literal('dispatch'),
  engine: choiceField(
    { label: 'Engine', help: 'event: every flit. closed-form: the busiest line.' },
    exchangeEngines,
  ),
  system: systemSchema,
  dispatch: dispatchSchema,
})

export type DispatchConfig = z.infer<typeof dispatchSchema>
export type DispatchInput = z.infer<typeof dispatchInputSchema>
export type DispatchDocument = ResultDocument<DispatchInput, DispatchResult>

function nearestDivisor(size: number, wanted: number): number {
  let nearest = 1
  for (let divisor = 1; divisor <= size; divisor++) {
    if (size % divisor !== 0) continue
    if (Math.abs(divisor - wanted) <= Math.abs(nearest - wanted)) nearest = divisor
  }
  return nearest
}
