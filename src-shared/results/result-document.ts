import type { AttentionResult } from '#shared/results/attention-result.ts'
import type { EventReport } from '#shared/results/event-report.ts'
import type { Explanation } from '#shared/results/explanation.ts'
import type { ResultWarning } from '#shared/results/warning.ts'

/** What a run leaves behind: printed by the command line, stored in the history, shown in the app. */
export interface ResultDocument<Input, Result = AttentionResult> {
  readonly schemaVersion: number
  readonly modelVersion: string
  readonly input: Input
  readonly result: Result
  readonly explanation: readonly Explanation[]
  readonly warnings: readonly ResultWarning[]
  /** Of a run of the event engine. */
  readonly event?: EventReport
}
