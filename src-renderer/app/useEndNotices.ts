import { ElNotification } from 'element-plus'
import { onScopeDispose } from 'vue'
import { useRouter } from 'vue-router'
import { useApi } from '#renderer/api/use-api.ts'
import { useJobStore } from '#renderer/state/job-store.ts'
import type { OpenRun } from '#shared/ipc/contract.ts'
import { dataflowDescriptions } from '#shared/mapping/dataflow.ts'

/** Runs that were watched at least this long are worth a notice, milliseconds. */
const longRunMs = 5000

const endings = {
  done: { type: 'success', verb: 'is done' },
  failed: { type: 'error', verb: 'has failed' },
  crashed: { type: 'error', verb: 'has crashed' },
} as const

/** Tells when a long run ends that is not on the page; a click goes to its result. */
export function useEndNotices(): void {
  const jobs = useJobStore()
  const router = useRouter()
  const startedAt = new Map<number, number>()

  const stop = useApi().on('job:event', event => {
    const { runId, kind } = event
    if (kind === 'started') startedAt.set(runId, performance.now())
    if (kind === 'started' || kind === 'queued' || kind === 'progress') return
    const started = startedAt.get(runId)
    const run = jobs.known.get(runId)
    startedAt.delete(runId)
    if (run === undefined || started === undefined) return
    if (performance.now() - started < longRunMs || kind === 'cancelled') return
    tell(run, endings[kind])
  })
  onScopeDispose(stop)

  function tell(run: OpenRun, { type, verb }: (typeof endings)[keyof typeof endings]): void {
    const { name, params } = router.currentRoute.value
    const id = run.experimentId
    if (name === 'result' && params.id === String(id)) return
    const notice = ElNotification({
      type,
      title: 'A run has ended',
      message: `${dataflowDescriptions[run.dataflow].label} of ${run.name} ${verb}. Click for its result.`,
      duration: 10_000,
      onClick: () => {
        notice.close()
        void router.push({ name: 'result', params: { id } })
      },
    })
  }
}
