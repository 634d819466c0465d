import type { AttentionDocument } from '#shared/schema/attention-document.ts'
import type { AttentionInput } from '#shared/schema/attention-input.ts'
import { estimateAttention } from '#shared/simulate/run-attention.ts'
import { InfeasibleError } from '#shared/simulate/simulation.ts'

export type Outcome =
  | { readonly kind: 'document'; readonly document: AttentionDocument }
  | { readonly kind: 'refused'; readonly message: string }

/**
 * What an estimate ends in.
 *
 * @throws whatever is no InfeasibleError: the models have no other way to refuse
 */
export function makeOutcome(input: AttentionInput): Outcome {
  try {
    return { kind: 'document', document: estimateAttention(input) }
  } catch (error) {
    if (!(error instanceof InfeasibleError)) throw error
    return { kind: 'refused', message: error.message }
  }
}
