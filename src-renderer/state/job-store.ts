import { defineStore } from 'pinia'
import { shallowReactive, shallowReadonly } from 'vue'
import { useApi, useConnection } from '#renderer/api/use-api.ts'
import type { JobEvent } from '#shared/ipc/job-event.ts'

/** Whether nothing follows this event. */
export const isFinal = (event: JobEvent): boolean =>
  event.kind === 'done' ||
  event.kind === 'failed' ||
  event.kind === 'cancelled' ||
  event.kind === 'crashed'

/** The last thing that was heard of each run since the page was opened. */
export const useJobStore = defineStore('job', () => {
  const api = useApi()
  const lastEvents = shallowReactive(new Map<number, JobEvent>())
  api.on('job:event', event => {
    lastEvents.set(event.runId, event)
  })
  useConnection().onReconnect(() => {
    lastEvents.clear() // what happened in between was not heard
  })

  /** Asks for the end of a run; an event tells when it has come. */
  async function cancel(runId: number): Promise<void> {
    await api.invoke('job:cancel', { runId })
  }

  return { lastEvents: shallowReadonly(lastEvents), cancel }
})
