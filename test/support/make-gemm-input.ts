import { gemmInputSchema, type GemmDocument, type GemmInput } from '#shared/schema/gemm-input.ts'
import { estimateGemm } from '#shared/simulate/run-gemm.ts'
import { InfeasibleError } from '#shared/simulate/simulation.ts'
import { makeChipConfig } from '#test/support/make-chip.ts'

/** A GEMM of 512 × 512 × 512 in FP16 on the chip of arXiv 2604.02110, with some parts replaced. */
export const makeGemmInput = ({
  workload,
  ...changes
}: {
  readonly chip?: GemmInput['chip']
  readonly workload?: Partial<GemmInput['workload']>
  readonly mapping?: GemmInput['mapping']
} = {}): GemmInput =>
  gemmInputSchema.parse({
    kind: 'gemm',
    engine: 'phase',
    chip: makeChipConfig(),
    mapping: {},
    workload: { m: 512, n: 512, k: 512, batch: 1, dtype: 'fp16', ...workload },
    ...changes,
  })

/**
 * The document of a GEMM, or the message of its refusal.
 *
 * @throws whatever is no InfeasibleError: the models have no other way to refuse
 */
export function makeGemmOutcome(input: GemmInput): GemmDocument | string {
  try {
    return estimateGemm(input)
  } catch (error) {
    if (!(error instanceof InfeasibleError)) throw error
    return error.message
  }
}
