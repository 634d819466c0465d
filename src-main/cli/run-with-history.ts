import { openCommandCore } from '#main/cli/open-history.ts'
import type { Output } from '#main/cli/output.ts'
import type { DocumentOf } from '#main/storage/history.ts'
import { StorageError } from '#main/storage/storage-error.ts'
import type { AttentionInput } from '#shared/schema/attention-input.ts'
import type { DecodeInput } from '#shared/schema/decode-input.ts'

interface HistoryRun<Input> {
  readonly input: Input
  /** Simulate although the history has the result. */
  readonly again: boolean
  readonly simulate: () => Promise<DocumentOf<Input>>
  /** What of the document is kept; left out: all. */
  readonly kept?: (document: DocumentOf<Input>) => DocumentOf<Input>
}

/** The result from the history where it has one; else it is simulated and kept. */
export async function runWithHistory<Input extends AttentionInput | DecodeInput>(
  { input, again, simulate, kept = document => document }: HistoryRun<Input>,
  output: Output,
): Promise<DocumentOf<Input>> {
  const core = openCommandCore()
  try {
    const found = again ? undefined : withWarning(output, () => core.history.findRun(input))
    if (found !== undefined) {
      const [experimentId] = found.experimentIds
      const where = experimentId === undefined ? '' : ` (run ${String(experimentId)})`
      output.note(`from the history${where}; --again runs it anew`)
      return found.document
    }
    const startMs = performance.now()
    const document = await simulate()
    const elapsedMs = performance.now() - startMs
    if (core.storage.kind === 'ready') {
      const recorded = withWarning(output, () =>
        core.history.recordRun(kept(document), elapsedMs, { again }),
      )
      if (recorded !== undefined) output.note(`kept as run ${String(recorded.experimentId)}`)
    }
    return document
  } finally {
    await core.close()
  }
}

/** A history that cannot be used does not keep the result from being printed. */
function withWarning<Result>(output: Output, work: () => Result): Result | undefined {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof StorageError)) throw error
    output.note(`warning: the result is not kept: ${error.message}`)
    return undefined
  }
}
