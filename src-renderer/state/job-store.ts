import { defineStore } from 'pinia'
import { computed, shallowReactive, shallowReadonly, shallowRef } from 'vue'
import { useApi, useConnection } from '#renderer/api/use-api.ts'
import type { OpenRun } from '#shared/ipc/contract.ts'
import type { JobEvent } from '#shared/ipc/job-event.ts'

/** Whether nothing follows this event. */
export const isFinal = (event: JobEvent): boolean =>
  event.kind === 'done' ||
  event.kind === 'failed' ||
  event.kind === 'cancelled' ||
  event.kind === 'crashed'

/** When a run was first heard to progress, and how far it was then. */
interface FirstProgress {
  readonly atMs: number
  readonly fraction: number
}

/** The last thing that was heard of each run since the page was opened. */
export const useJobStore = defineStore('job', () => {
  const api = useApi()
  const lastEvents = shallowReactive(new Map<number, JobEvent>())
  const firstProgress = new Map<number, FirstProgress>()
  api.on('job:event', event => {
    lastEvents.set(event.runId, event)
    if (event.kind === 'progress' && !firstProgress.has(event.runId)) {
      firstProgress.set(event.runId, { atMs: performance.now(), fraction: fractionOf(event) ?? 0 })
    }
    if (isFinal(event)) firstProgress.delete(event.runId)
  })
  const listed = shallowRef<readonly OpenRun[]>([])
  /** What waits or is under way, of all pages. */
  const openRuns = computed(() =>
    listed.value.filter(({ id }) => {
      const last = lastEvents.get(id)
      return last === undefined || !isFinal(last)
    }),
  )
  /** Every run that was open since the page was opened. */
  const known = new Map<number, OpenRun>()
  let latest = 0

  /** Without a history there are no runs: what keeps it from loading is told elsewhere. */
  async function loadOpen(): Promise<void> {
    const turn = ++latest
    const loaded = await api.invoke('job:list', null).catch(() => [])
    if (turn !== latest) return
    listed.value = loaded
    for (const run of loaded) known.set(run.id, run)
  }
  void loadOpen()
  api.on('history:changed', () => void loadOpen())

  useConnection().onReconnect(() => {
    void loadOpen()
    firstProgress.clear()
    lastEvents.clear() // what happened in between was not heard
  })

  /** Asks for the end of a run; an event tells when it has come. */
  async function cancel(runId: number): Promise<void> {
    await api.invoke('job:cancel', { runId })
  }

  /** Seconds that a run still needs at its pace so far; undefined while that cannot be told. */
  function remainingSeconds(runId: number): number | undefined {
    const last = lastEvents.get(runId)
    const first = firstProgress.get(runId)
    const fraction = last === undefined ? undefined : fractionOf(last)
    if (first === undefined || fraction === undefined || fraction <= first.fraction)
      return undefined
    const elapsed = (performance.now() - first.atMs) / 1000
    return (elapsed * (1 - fraction)) / (fraction - first.fraction)
  }

  return {
    lastEvents: shallowReadonly(lastEvents),
    openRuns,
    known: shallowReadonly(known),
    remainingSeconds,
    cancel,
  }
})

/** From 0 to 1; undefined until a run tells how much there is to do. */
export function fractionOf(event: JobEvent): number | undefined {
  if (event.kind !== 'progress' || event.progress.total <= 0) return undefined
  return Math.min(1, Math.max(0, event.progress.done / event.progress.total))
}
