import { readonly, shallowRef } from 'vue'
import type { Connection, ConnectionState } from '#renderer/api/connection.ts'
import { createEventListeners } from '#renderer/api/event-listeners.ts'
import { valueOf } from '#renderer/api/reply.ts'
import { ApiError } from '#shared/ipc/api-error.ts'
import type { Channel } from '#shared/ipc/channels.ts'
import type { AppApi, Input, Output, Reply } from '#shared/ipc/contract.ts'
import type { WireMessage, WireRequest } from '#shared/ipc/wire.ts'

interface Pending {
  readonly resolve: (value: unknown) => void
  readonly reject: (error: Error) => void
}

const FIRST_RETRY_MS = 250
const LONGEST_RETRY_MS = 5000
const GONE = 'Tessera does not answer: the program that serves this page is gone'
const REFUSED = 'Tessera was started anew and does not know this page: open the address it printed'

/**
 * The API over a WebSocket of the browser host. Requests made while the socket opens wait for it;
 * when it closes, those without an answer are rejected with code 'disconnected', and it is opened
 * again until it stays open.
 *
 * @param openSocket opens a new socket to the host
 * @param isHostThere asked when a socket could not be opened: whether there is a host all the same,
 *   which then refuses this page
 */
export function createBrowserApi(
  openSocket: () => WebSocket,
  isHostThere: () => Promise<boolean> = () => Promise.resolve(false),
): {
  readonly api: AppApi
  readonly connection: Connection
} {
  const state = shallowRef<ConnectionState>('connecting')
  const events = createEventListeners()
  const reconnectListeners = new Set<() => void>()
  const pending = new Map<number, Pending>()
  let waiting: WireRequest[] = []
  let nextId = 1
  let retryMs = FIRST_RETRY_MS
  let wasConnected = false
  let isOpened = false
  let socket = connect()

  function connect(): WebSocket {
    isOpened = false
    const opened = openSocket()
    opened.addEventListener('open', onOpen)
    opened.addEventListener('message', ({ data }) => {
      receive(data)
    })
    opened.addEventListener('close', onClose)
    return opened
  }

  function onOpen(): void {
    const isAgain = wasConnected
    state.value = 'connected'
    isOpened = true
    wasConnected = true
    retryMs = FIRST_RETRY_MS
    const requests = waiting
    waiting = []
    for (const request of requests) socket.send(JSON.stringify(request))
    if (isAgain) for (const listener of reconnectListeners) listener()
  }

  function onClose(): void {
    if (state.value !== 'refused') state.value = 'disconnected'
    if (!isOpened) void tellRefusal()
    waiting = []
    const lost = [...pending.values()]
    pending.clear()
    for (const { reject } of lost) reject(unreachable())
    setTimeout(() => {
      socket = connect()
    }, retryMs)
    retryMs = Math.min(2 * retryMs, LONGEST_RETRY_MS)
  }

  /** A browser does not tell a page why its socket was not opened. */
  async function tellRefusal(): Promise<void> {
    const isThere = await isHostThere()
    if (state.value !== 'connected') state.value = isThere ? 'refused' : 'disconnected'
  }

  function receive(data: unknown): void {
    const message = JSON.parse(String(data)) as WireMessage
    if ('event' in message) events.emit(message.event, message.payload)
    else settle(message.id, message.reply)
  }

  function settle(id: number, reply: Reply): void {
    const request = pending.get(id)
    pending.delete(id)
    if (request === undefined) return
    try {
      request.resolve(valueOf(reply))
    } catch (error) {
      request.reject(error instanceof Error ? error : new Error(String(error)))
    }
  }

  async function invoke<C extends Channel>(channel: C, input: Input<C>): Promise<Output<C>> {
    if (state.value === 'disconnected' || state.value === 'refused') throw unreachable()
    const request: WireRequest = { id: nextId++, channel, input }
    const answer = new Promise<unknown>((resolve, reject) => {
      pending.set(request.id, { resolve, reject })
    })
    if (state.value === 'connected') socket.send(JSON.stringify(request))
    else waiting.push(request)
    return (await answer) as Output<C>
  }

  const unreachable = (): ApiError =>
    new ApiError('disconnected', state.value === 'refused' ? REFUSED : GONE)

  const connection: Connection = {
    state: readonly(state),
    onReconnect(listener) {
      reconnectListeners.add(listener)
      return () => {
        reconnectListeners.delete(listener)
      }
    },
  }
  return { api: { invoke, on: events.on }, connection }
}
