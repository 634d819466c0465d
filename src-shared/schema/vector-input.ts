import type { VectorResult } from '#shared/results/vector-result.ts'
import type { ResultDocument } from '#shared/results/result-document.ts'
import { chipSchema } from '#shared/schema/chip.ts'
import { engineField } from '#shared/schema/engine-field.ts'
import { choiceField, countField } from '#shared/schema/quantity-field.ts'
import { z } from '#shared/schema/zod.ts'
import type { VectorData, VectorKernelId, VectorWorkload } from '#shared/workload/vector.ts'

export const vectorKernels = [
  'rms-norm',
  'rope',
  'silu-gate',
  'add',
  'top-k',
  'dispatch',
  'combine',
] as const satisfies readonly VectorKernelId[]

export const vectorTimings = ['all-tiles', 'first-tile'] as const

export const vectorTypes = ['fp16', 'fp8'] as const

export const vectorDataKinds = ['zeros', 'random'] as const satisfies readonly VectorData[]

const routed: readonly VectorKernelId[] = ['top-k', 'dispatch', 'combine']

/** One vector kernel over the rows of some tokens. */
export const vectorWorkloadSchema = z
  .strictObject({
    kernel: choiceField({ label: 'Kernel', help: 'What is done to each token.' }, vectorKernels),
    tokens: countField(
      { label: 'Tokens', unit: 'tokens', help: 'Rows, which go round the tiles.' },
      { min: 1, max: 16_777_216 },
    ),
    width: countField(
      {
        label: 'Width',
        unit: 'elements',
        help: 'Elements of a row; for top-k the scores. dispatch reads no rows.',
      },
      { min: 1, max: 16_777_216 },
    ).optional(),
    experts: countField(
      { label: 'Experts', unit: 'experts', help: 'Of top-k and dispatch.' },
      { min: 1, max: 65_536 },
    ).optional(),
    topK: countField(
      { label: 'Experts of a token', unit: 'experts', help: 'Of top-k, dispatch and combine.' },
      { min: 1, max: 1024 },
    ).optional(),
    dtype: choiceField({ label: 'Data type', help: 'Of rows, scores and weights.' }, vectorTypes),
    data: choiceField(
      {
        label: 'Data',
        help: 'zeros: as in every recorded run. It decides in top-k, rms-norm and rope.',
      },
      vectorDataKinds,
    ),
  })
  .superRefine(({ kernel, width, experts, topK }, context) => {
    const refuse = (field: string, message: string) => {
      context.addIssue({ code: 'custom', path: [field], message })
    }
    if (width === undefined && kernel !== 'dispatch') {
      refuse('width', `is missing; ${kernel} needs the elements of a row`)
    }
    if (kernel === 'rope' && width !== undefined && width % 2 !== 0) {
      refuse('width', `must be even, for rope turns pairs of elements, got ${String(width)}`)
    }
    if (kernel === 'top-k' && experts !== undefined && width !== undefined && experts !== width) {
      refuse(
        'experts',
        `must be the ${String(width)} scores of workload.width, got ${String(experts)}`,
      )
    }
    if (kernel === 'dispatch' && experts === undefined) {
      refuse('experts', 'is missing; dispatch needs the number of experts')
    }
    if (routed.includes(kernel)) {
      const most = experts ?? (kernel === 'top-k' ? width : undefined)
      if (topK === undefined) {
        refuse('topK', `is missing; ${kernel} needs the number of experts of a token`)
      } else if (most !== undefined && topK > most) {
        refuse('topK', `must be at most ${String(most)}, the experts, got ${String(topK)}`)
      }
      return
    }
    for (const [field, value] of Object.entries({ experts, topK })) {
      if (value === undefined) continue
      refuse(field, `is for ${routed.join(', ')} only, got ${String(value)} with ${kernel}`)
    }
  })
  .meta({ title: 'Tessera vector kernel' })

/** Everything that decides the numbers of one vector kernel, fully resolved. */
export const vectorInputSchema = z.strictObject({
  kind: z.literal('vector'),
  engine: engineField,
  chip: chipSchema,
  workload: vectorWorkloadSchema,
  timing: choiceField(
    {
      label: 'Timing',
      help: 'all-tiles: until all tiles are through. first-tile: until tile 0 is, as the authors measure.',
    },
    vectorTimings,
  ),
})

export type VectorWorkloadConfig = z.infer<typeof vectorWorkloadSchema>
export type VectorInput = z.infer<typeof vectorInputSchema>
export type VectorDocument = ResultDocument<VectorInput, VectorResult>

/** The one place where what a kernel does not use gets its value. */
export const resolveVector = (config: VectorWorkloadConfig): VectorWorkload => ({
  kernel: config.kernel,
  tokens: config.tokens,
  width: config.kernel === 'dispatch' ? 0 : (config.width ?? 0),
  experts: config.experts ?? (config.kernel === 'top-k' ? (config.width ?? 0) : 0),
  topK: config.topK ?? 0,
  dtype: config.dtype,
  data: config.data,
})
