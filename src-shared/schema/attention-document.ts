import type { ResultDocument } from '#shared/results/result-document.ts'
import type { AttentionInput } from '#shared/schema/attention-input.ts'

export type AttentionDocument = ResultDocument<AttentionInput>
