import { computed, onScopeDispose, readonly, shallowRef, watch, type Ref } from 'vue'
import { messageOf } from '#renderer/api/reply.ts'
import { useApi, useConnection } from '#renderer/api/use-api.ts'
import type { KeptValidation, ValidationStatus } from '#shared/ipc/validation.ts'
import type { Engine } from '#shared/schema/engine-field.ts'

/**
 * The comparison of one engine with published numbers: what was kept, and what goes on. Where nothing
 * was kept for this version of the model, the phase engine, which takes a second or two, is asked for
 * at once; the event engine takes minutes and waits to be asked for.
 *
 * @param modelVersion that of the host; undefined until it is known
 */
export function useValidation(engine: Ref<Engine>, modelVersion: Ref<string | undefined>) {
  const api = useApi()
  const status = shallowRef<ValidationStatus>({ kind: 'idle' })
  const kept = shallowRef<KeptValidation>()
  const failure = shallowRef<string>()
  const isLoaded = shallowRef(false)
  let turn = 0

  const isStale = computed(
    () => kept.value !== undefined && kept.value.validation.modelVersion !== modelVersion.value,
  )

  async function attempt(work: () => Promise<unknown>): Promise<void> {
    try {
      await work()
      failure.value = undefined
    } catch (error) {
      failure.value = messageOf(error)
    }
  }
  const start = (): Promise<void> =>
    attempt(() => api.invoke('validation:start', { engine: engine.value }))
  const cancel = (): Promise<void> =>
    attempt(() => api.invoke('validation:cancel', { engine: engine.value }))

  async function load(mayStart: boolean): Promise<void> {
    const current = ++turn
    await attempt(async () => {
      const answer = await api.invoke('validation:get', { engine: engine.value })
      if (current !== turn) return
      status.value = answer.status
      kept.value = answer.kept ?? undefined
      isLoaded.value = true
    })
    const isMissing = kept.value === undefined || isStale.value
    if (mayStart && current === turn && failure.value === undefined && isMissing) {
      if (engine.value === 'phase' && status.value.kind === 'idle') await start()
    }
  }

  watch(
    [engine, modelVersion],
    () => {
      kept.value = undefined
      isLoaded.value = false
      status.value = { kind: 'idle' }
      if (modelVersion.value !== undefined) void load(true)
    },
    { immediate: true },
  )
  const stops = [
    api.on('validation:changed', change => {
      if (change.engine !== engine.value) return
      const wasRunning = status.value.kind === 'running'
      status.value = change.status
      if (wasRunning && change.status.kind !== 'running') void load(false)
    }),
    useConnection().onReconnect(() => void load(false)),
  ]
  onScopeDispose(() => {
    turn++
    for (const stop of stops) stop()
  })
  return {
    status: readonly(status),
    kept,
    failure: readonly(failure),
    isLoaded: readonly(isLoaded),
    isStale,
    start,
    cancel,
  }
}
