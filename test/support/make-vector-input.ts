import {
  vectorInputSchema,
  type VectorDocument,
  type VectorInput,
} from '#shared/schema/vector-input.ts'
import { estimateVector } from '#shared/simulate/run-vector.ts'
import { InfeasibleError } from '#shared/simulate/simulation.ts'
import { presetChip } from '#shared/validation/published-input.ts'

/** What each kernel needs besides tokens, type and data. */
const shapes = {
  'rms-norm': { width: 7168 },
  rope: { width: 8192 },
  'silu-gate': { width: 2048 },
  add: { width: 7168 },
  'top-k': { width: 256, topK: 8 },
  dispatch: { experts: 256, topK: 8 },
  combine: { width: 7168, topK: 8 },
} as const

/** A kernel over 512 FP8 tokens on the chip of the wafer, with some parts replaced. */
export const makeVectorInput = ({
  workload = {},
  ...changes
}: {
  readonly chip?: VectorInput['chip']
  readonly workload?: Partial<VectorInput['workload']>
  readonly timing?: VectorInput['timing']
} = {}): VectorInput =>
  vectorInputSchema.parse({
    kind: 'vector',
    engine: 'phase',
    chip: presetChip('flat-2026-fp8'),
    timing: 'all-tiles',
    workload: {
      kernel: 'rms-norm',
      tokens: 512,
      dtype: 'fp8',
      data: 'zeros',
      ...shapes[workload.kernel ?? 'rms-norm'],
      ...workload,
    },
    ...changes,
  })

/**
 * The document of a kernel, or the message of its refusal.
 *
 * @throws whatever is no InfeasibleError: the models have no other way to refuse
 */
export function makeVectorOutcome(input: VectorInput): VectorDocument | string {
  try {
    return estimateVector(input)
  } catch (error) {
    if (!(error instanceof InfeasibleError)) throw error
    return error.message
  }
}
