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
import type { DecodeSweep } from '#shared/ipc/contract.ts'
import type { PlanInput } from '#shared/schema/plan-input.ts'

interface UnderWay {
  readonly sweepId: string
  readonly text: string
  readonly startedAtMs: number
}

interface SweepState {
  /** From 0 to 1. */
  readonly fraction: number
  /** At the pace so far; undefined at the start. */
  readonly remainingSeconds: number | undefined
}

/** Below this share of a sweep its pace says little. */
const leastFraction = 0.02

/**
 * Sweeps a system as often as its input changes. A sweep that is under way when the input changes
 * is cancelled; an input that says the same as the one before is not swept again.
 *
 * @param input undefined while it is not valid: the last answer stays, marked as old
 */
export function useDecodeSweep(input: MaybeRefOrGetter<PlanInput | undefined>, debounceMs: number) {
  const api = useApi()
  const reply = shallowRef<DecodeSweep>()
  const failure = shallowRef<string>()
  const progress = shallowRef<SweepState>()
  const isBusy = shallowRef(false)
  const isOld = shallowRef(true)
  /** Cancelled by hand: nothing is swept until the input changes, or `start`. */
  const isStopped = shallowRef(false)
  let answered: string | undefined
  let underWay: UnderWay | undefined
  let timer: ReturnType<typeof setTimeout> | undefined

  async function ask(): Promise<void> {
    const current = toValue(input)
    if (current === undefined) return
    const mine = {
      sweepId: crypto.randomUUID(),
      text: JSON.stringify(current),
      startedAtMs: performance.now(),
    }
    underWay = mine
    const outcome = await api
      .invoke('decode:sweep', { sweepId: mine.sweepId, input: current })
      .then(
        answer => ({ answer }),
        (error: unknown) => ({ message: messageOf(error) }),
      )
    // What was dropped meanwhile is of no interest, whatever it says.
    if (Object.is(underWay, mine)) settle(mine, outcome)
  }

  function settle(
    { text }: UnderWay,
    outcome: { readonly answer: DecodeSweep } | { readonly message: string },
  ): void {
    underWay = undefined
    progress.value = undefined
    failure.value = 'message' in outcome ? outcome.message : undefined
    if ('answer' in outcome && outcome.answer.kind !== 'cancelled') reply.value = outcome.answer
    isStopped.value = 'answer' in outcome && outcome.answer.kind === 'cancelled'
    if (!isStopped.value) answered = text
    follow(0)
  }

  function drop(): void {
    if (underWay === undefined) return
    const { sweepId } = underWay
    underWay = undefined
    progress.value = undefined
    // One that cannot be reached any more ends by itself.
    api.invoke('decode:cancel', { sweepId }).catch(() => undefined)
  }

  function follow(delayMs: number): void {
    clearTimeout(timer)
    const current = toValue(input)
    const text = current === undefined ? undefined : JSON.stringify(current)
    isOld.value = text === undefined || text !== answered
    if (text !== undefined && underWay?.text === text) return
    drop()
    isBusy.value = isOld.value && text !== undefined && !isStopped.value
    if (isBusy.value) timer = setTimeout(() => void ask(), delayMs)
  }

  function stop(): void {
    clearTimeout(timer)
    drop()
    isStopped.value = true
    isBusy.value = false
  }

  function start(): void {
    isStopped.value = false
    follow(0)
  }

  watch(
    () => JSON.stringify(toValue(input)),
    () => {
      isStopped.value = false
      follow(reply.value === undefined ? 0 : debounceMs)
    },
    { immediate: true },
  )
  const stopListening = api.on('decode:progress', ({ sweepId, done, total }) => {
    if (underWay?.sweepId !== sweepId || total <= 0) return
    const fraction = Math.min(1, done / total)
    const elapsed = (performance.now() - underWay.startedAtMs) / 1000
    progress.value = {
      fraction,
      remainingSeconds:
        fraction < leastFraction ? undefined : (elapsed * (1 - fraction)) / fraction,
    }
  })
  const stopReconnect = useConnection().onReconnect(() => {
    underWay = undefined // the answer was lost with the connection
    answered = undefined
    follow(0)
  })
  onScopeDispose(() => {
    clearTimeout(timer)
    drop()
    stopListening()
    stopReconnect()
  })
  return {
    reply: shallowReadonly(reply),
    failure: readonly(failure),
    progress: shallowReadonly(progress),
    isBusy: readonly(isBusy),
    isOld: readonly(isOld),
    isStopped: readonly(isStopped),
    start,
    stop,
  }
}
