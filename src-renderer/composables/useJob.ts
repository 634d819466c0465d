import { computed, toValue, type MaybeRefOrGetter } from 'vue'
import { fractionOf, useJobStore } from '#renderer/state/job-store.ts'
import type { Run } from '#shared/ipc/contract.ts'
import type { RunStatus } from '#shared/ipc/job-event.ts'

const statusOfEvent = {
  queued: 'queued',
  started: 'running',
  progress: 'running',
  done: 'done',
  failed: 'failed',
  cancelled: 'cancelled',
  crashed: 'crashed',
} as const satisfies Record<string, RunStatus>

/** Follows one run: what the history knew of it when it was loaded, and what was heard since. */
export function useJob(run: MaybeRefOrGetter<Pick<Run, 'id' | 'status'>>) {
  const jobs = useJobStore()
  const last = computed(() => {
    const { id, status } = toValue(run)
    const isOpen = status === 'queued' || status === 'running'
    return isOpen ? jobs.lastEvents.get(id) : undefined
  })
  const status = computed<RunStatus>(() =>
    last.value === undefined ? toValue(run).status : statusOfEvent[last.value.kind],
  )
  const isOpen = computed(() => status.value === 'queued' || status.value === 'running')
  const progress = computed(() =>
    last.value?.kind === 'progress' ? last.value.progress : undefined,
  )
  /** From 0 to 1; undefined until the run tells how much there is to do. */
  const fraction = computed(() => last.value && fractionOf(last.value))
  /** Estimated anew at each progress; undefined while it cannot be told. */
  const remainingSeconds = computed(() => last.value && jobs.remainingSeconds(last.value.runId))
  const cancel = (): Promise<void> => jobs.cancel(toValue(run).id)
  return { last, status, isOpen, progress, fraction, remainingSeconds, cancel }
}
