import { workerRequestSchema, type WorkerMessage } from '#shared/ipc/worker-message.ts'
import type { EventActivity } from '#shared/results/event-activity.ts'
import type { AttentionDocument } from '#shared/schema/attention-document.ts'
import type { AttentionInput } from '#shared/schema/attention-input.ts'
import { InfeasibleError, type Simulation } from '#shared/simulate/simulation.ts'
import { driveSimulation } from '#main/jobs/drive-simulation.ts'
import type { ParentEndpoint } from '#main/jobs/endpoint.ts'

/** What a run leaves behind. */
export interface FinishedRun {
  readonly document: AttentionDocument
  /** Of the event engine; it is kept apart from the document. */
  readonly activity?: EventActivity
}

/**
 * Answers requests for runs, one at a time, until the process is ended.
 *
 * A simulation that throws is a failed run, not the end of the worker. A malformed request throws:
 * the process ends, and the parent sees a crash.
 *
 * @param answersOther takes messages that are about something else than runs, and says whether
 */
export function serveWorker(
  parent: ParentEndpoint,
  simulate: (input: AttentionInput) => Simulation<FinishedRun>,
  answersOther: (raw: unknown) => boolean = () => false,
): void {
  let current: { readonly runId: number; readonly controller: AbortController } | undefined
  const tell = (message: WorkerMessage): void => {
    parent.send(message)
  }

  async function run(runId: number, input: AttentionInput): Promise<void> {
    const controller = new AbortController()
    current = { runId, controller }
    const startMs = performance.now()
    try {
      const result = await driveSimulation(
        simulate(input),
        progress => {
          tell({ kind: 'progress', runId, progress })
        },
        controller.signal,
      )
      tell({ kind: 'done', runId, ...result, elapsedMs: performance.now() - startMs })
    } catch (error) {
      if (controller.signal.aborted) tell({ kind: 'cancelled', runId })
      else tell({ kind: 'failed', runId, message: failureText(error) })
    } finally {
      current = undefined
    }
  }

  parent.onMessage(raw => {
    if (answersOther(raw)) return
    const request = workerRequestSchema.parse(raw)
    if (request.kind === 'cancel') {
      if (current?.runId === request.runId) current.controller.abort()
      return
    }
    if (current !== undefined) {
      throw new Error(`asked for run ${String(request.runId)} during run ${String(current.runId)}`)
    }
    void run(request.runId, request.input)
  })
}

function failureText(error: unknown): string {
  if (error instanceof InfeasibleError) return error.message
  return `the model failed: ${error instanceof Error ? error.message : String(error)}`
}
