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
import type { Channel } from '#shared/ipc/channels.ts'
import type { Input, Output } from '#shared/ipc/contract.ts'

/**
 * Asks for the latest input, one request at a time: what changes meanwhile is asked for once the
 * answer is there. An input that says the same as the one before is not asked again.
 *
 * @param input undefined while it is not valid: the last answer stays, marked as old
 */
export function useLatestReply<C extends Channel>(
  channel: C,
  input: MaybeRefOrGetter<Input<C> | undefined>,
  debounceMs: number,
) {
  const api = useApi()
  const reply = shallowRef<Output<C>>()
  const failure = shallowRef<string>()
  const isBusy = shallowRef(false)
  /** The numbers are of another input than the latest. */
  const isOld = shallowRef(true)
  let answered: string | undefined
  let isAsking = false
  let isOver = false
  let timer: ReturnType<typeof setTimeout> | undefined

  async function ask(): Promise<void> {
    const current = toValue(input)
    if (isAsking || isOver || current === undefined) return
    const text = JSON.stringify(current)
    isAsking = true
    try {
      const answer = await api.invoke(channel, current)
      reply.value = answer
      failure.value = undefined
    } catch (error) {
      failure.value = messageOf(error)
    }
    isAsking = false
    answered = text
    schedule(0)
  }

  function schedule(delayMs: number): void {
    clearTimeout(timer)
    const current = toValue(input)
    isOld.value = current === undefined || JSON.stringify(current) !== answered
    isBusy.value = isOld.value && current !== undefined
    if (!isBusy.value || isOver) return
    timer = setTimeout(() => void ask(), delayMs)
  }

  watch(
    () => toValue(input),
    () => {
      schedule(reply.value === undefined ? 0 : debounceMs)
    },
    { immediate: true },
  )
  const stopReconnect = useConnection().onReconnect(() => {
    answered = undefined
    schedule(0)
  })
  onScopeDispose(() => {
    isOver = true
    clearTimeout(timer)
    stopReconnect()
  })
  return {
    reply: shallowReadonly(reply),
    failure: readonly(failure),
    isBusy: readonly(isBusy),
    isOld: readonly(isOld),
  }
}
