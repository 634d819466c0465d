import type { AttentionDocument } from '#shared/schema/attention-document.ts'
import type { AttentionInput } from '#shared/schema/attention-input.ts'
import { runAttention } from '#shared/simulate/run-attention.ts'
import { elapsedMs } from '#test/bench/measurement.ts'

/** A run of the event engine, and the longest time between two points where it can be dropped. */
export function timedRun(input: AttentionInput) {
  const simulation = runAttention({ ...input, engine: 'event' })
  let longestMs = 0
  let document: AttentionDocument | undefined
  const milliseconds = elapsedMs(() => {
    while (document === undefined) {
      longestMs = Math.max(
        longestMs,
        elapsedMs(() => {
          const step = simulation.next()
          if (step.done === true) document = step.value
        }),
      )
    }
  })
  return { seconds: milliseconds / 1000, longestMs, event: document?.event }
}
