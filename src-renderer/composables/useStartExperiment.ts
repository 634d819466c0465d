import { ElMessage } from 'element-plus'
import { useRouter } from 'vue-router'
import { useTask } from '#renderer/composables/useTask.ts'
import { useExperimentStore } from '#renderer/state/experiment-store.ts'
import type { ExperimentSpec } from '#shared/schema/attention-input.ts'

/** Starts an experiment and goes to its result. */
export function useStartExperiment() {
  const experiments = useExperimentStore()
  const router = useRouter()
  const { isBusy, run } = useTask()

  /** @param again run although there is a result of the same input */
  const start = (spec: ExperimentSpec, again: boolean): Promise<boolean> =>
    run(async () => {
      const { experimentId, reused } = await experiments.start({ spec, again })
      if (reused) ElMessage('This input was run before: here is its result.')
      await router.push({ name: 'result', params: { id: experimentId } })
    })

  return { isStarting: isBusy, start }
}
