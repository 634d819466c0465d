import {
  onScopeDispose,
  readonly,
  shallowReadonly,
  shallowRef,
  toValue,
  watch,
  type MaybeRefOrGetter,
} from 'vue'
import { messageOf } from '#renderer/api/reply.ts'
import { useApi, useConnection } from '#renderer/api/use-api.ts'
import { isFinal } from '#renderer/state/job-store.ts'
import type { LoadState } from '#renderer/state/load-state.ts'
import type { Experiment } from '#shared/ipc/contract.ts'

/** Loads experiments with their results, and again whenever one of their runs ends. */
export function useExperiments(ids: MaybeRefOrGetter<readonly number[]>) {
  const api = useApi()
  const experiments = shallowRef<readonly Experiment[]>([])
  const loadState = shallowRef<LoadState>({ kind: 'loading' })
  let latest = 0

  async function load(): Promise<void> {
    const turn = ++latest
    try {
      const loaded = await Promise.all(toValue(ids).map(id => api.invoke('experiment:get', { id })))
      if (turn !== latest) return
      experiments.value = loaded
      loadState.value = { kind: 'ready' }
    } catch (error) {
      if (turn === latest) loadState.value = { kind: 'failed', message: messageOf(error) }
    }
  }

  const stops = [
    api.on('job:event', event => {
      const isOurs = experiments.value.some(({ runs }) => runs.some(run => run.id === event.runId))
      if (isOurs && isFinal(event)) void load()
    }),
    api.on('history:changed', () => {
      void load()
    }),
    useConnection().onReconnect(() => {
      void load()
    }),
  ]
  onScopeDispose(() => {
    latest++
    for (const stop of stops) stop()
  })
  watch(
    () => toValue(ids).join(),
    () => {
      experiments.value = []
      loadState.value = { kind: 'loading' }
      void load()
    },
    { immediate: true },
  )
  return { experiments: shallowReadonly(experiments), loadState: readonly(loadState), load }
}
