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
import type { Estimate } from '#shared/ipc/contract.ts'
import type { Dataflow } from '#shared/mapping/dataflow.ts'
import { runInputs, type ExperimentSpec } from '#shared/schema/attention-input.ts'

export type LiveEstimate = Estimate | { readonly kind: 'failed'; readonly message: string }

const DEBOUNCE_MS = 80

/**
 * Estimates every dataflow of a specification while it is edited. Only the latest specification
 * counts; the numbers of the one before stay, marked as old, until the new ones are there.
 *
 * @param spec undefined while it is not valid: the last numbers stay, marked as old
 */
export function useLiveEstimates(spec: MaybeRefOrGetter<ExperimentSpec | undefined>) {
  const api = useApi()
  const estimates = shallowRef<ReadonlyMap<Dataflow, LiveEstimate>>(new Map())
  const isOld = shallowRef(false)
  let latest = 0
  let timer: ReturnType<typeof setTimeout> | undefined

  async function refresh(current: ExperimentSpec, turn: number): Promise<void> {
    const entries = await Promise.all(
      // The phase engine, whichever engine is to run: it is at once.
      runInputs({ ...current, engine: 'phase', loaders: undefined }).map(
        async (input): Promise<[Dataflow, LiveEstimate]> => {
          try {
            return [input.dataflow, await api.invoke('attention:estimate', input)]
          } catch (error) {
            return [input.dataflow, { kind: 'failed', message: messageOf(error) }]
          }
        },
      ),
    )
    if (turn !== latest) return
    estimates.value = new Map(entries)
    isOld.value = false
  }

  function schedule(delayMs: number): void {
    clearTimeout(timer)
    const turn = ++latest
    isOld.value = true
    const current = toValue(spec)
    if (current === undefined) return
    timer = setTimeout(() => {
      void refresh(current, turn)
    }, delayMs)
  }

  watch(
    () => toValue(spec),
    () => {
      schedule(estimates.value.size === 0 ? 0 : DEBOUNCE_MS)
    },
    { immediate: true },
  )
  const stopReconnect = useConnection().onReconnect(() => {
    schedule(0)
  })
  onScopeDispose(() => {
    latest++
    clearTimeout(timer)
    stopReconnect()
  })
  return { estimates: shallowReadonly(estimates), isOld: readonly(isOld) }
}
