import type { ResultDocument } from '#shared/results/result-document.ts'
import type { SensitivityResult } from '#shared/results/sensitivity-result.ts'
import type { AttentionInput } from '#shared/schema/attention-input.ts'

/** What `tessera sensitivity` prints, and the Lab shows. */
export type SensitivityDocument = ResultDocument<AttentionInput, SensitivityResult>
