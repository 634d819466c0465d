import { createEventListeners } from '#renderer/api/event-listeners.ts'
import { ApiError } from '#shared/ipc/api-error.ts'
import type { Channel } from '#shared/ipc/channels.ts'
import type { AppApi, AppInfo, Events, Input, Output } from '#shared/ipc/contract.ts'

type Answers = { [C in Channel]?: (input: Input<C>) => Output<C> | Promise<Output<C>> }

export const appInfo: AppInfo = {
  host: 'browser',
  appVersion: '0.1.0',
  modelVersion: '2026.11.1',
  schemaVersion: 1,
  dataDirectory: '/data',
  storage: { kind: 'ready' },
}

/** A host that answers as a test says, and remembers what it was asked. */
export function createFakeApi(answers: Answers = {}) {
  const calls: { channel: Channel; input: unknown }[] = []
  const { on, emit } = createEventListeners()
  const all: Answers = { 'app:info': () => appInfo, ...answers }

  async function invoke<C extends Channel>(channel: C, input: Input<C>): Promise<Output<C>> {
    calls.push({ channel, input })
    const answer = all[channel] as ((value: Input<C>) => Output<C> | Promise<Output<C>>) | undefined
    if (answer === undefined) throw new ApiError('internal', `no answer to ${channel}`)
    return answer(input)
  }

  const api: AppApi = { invoke, on }
  return {
    api,
    calls,
    emit: <E extends keyof Events>(event: E, payload: Events[E]) => {
      emit(event, payload)
    },
    callsOf: (channel: Channel) => calls.filter(call => call.channel === channel),
  }
}

export type FakeApi = ReturnType<typeof createFakeApi>
