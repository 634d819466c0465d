import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createBrowserApi } from '#renderer/api/browser-api.ts'

class FakeSocket extends EventTarget {
  readonly sent: { id: number; channel: string; input: unknown }[] = []

  send(text: string): void {
    this.sent.push(JSON.parse(text) as FakeSocket['sent'][number])
  }
  open(): void {
    this.dispatchEvent(new Event('open'))
  }
  close(): void {
    this.dispatchEvent(new Event('close'))
  }
  say(message: unknown): void {
    this.dispatchEvent(new MessageEvent('message', { data: JSON.stringify(message) }))
  }
}

function setUp(isHostThere?: () => Promise<boolean>) {
  const sockets: FakeSocket[] = []
  const openSocket = () => {
    const socket = new FakeSocket()
    sockets.push(socket)
    return socket as unknown as WebSocket
  }
  const { api, connection } = createBrowserApi(openSocket, isHostThere)
  const socket = (index: number): FakeSocket => {
    const found = sockets[index]
    if (found === undefined) throw new Error(`socket ${String(index)} was not opened`)
    return found
  }
  return { api, connection, socket, sockets }
}

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

describe('requests', () => {
  test('wait for the socket, then resolve with the value of their reply', async () => {
    const { api, socket } = setUp()
    const answer = api.invoke('experiment:list', { trashed: false })
    expect(socket(0).sent).toEqual([])
    socket(0).open()
    expect(socket(0).sent).toEqual([
      { id: 1, channel: 'experiment:list', input: { trashed: false } },
    ])
    socket(0).say({ id: 1, reply: { ok: true, value: [] } })
    await expect(answer).resolves.toEqual([])
  })

  test('are matched with their replies by id', async () => {
    const { api, socket } = setUp()
    socket(0).open()
    const first = api.invoke('experiment:list', { trashed: false })
    const second = api.invoke('experiment:list', { trashed: true })
    socket(0).say({ id: 2, reply: { ok: true, value: ['second'] } })
    socket(0).say({ id: 1, reply: { ok: true, value: ['first'] } })
    await expect(first).resolves.toEqual(['first'])
    await expect(second).resolves.toEqual(['second'])
  })

  test('reject with the code and message of a failure', async () => {
    const { api, socket } = setUp()
    socket(0).open()
    const answer = api.invoke('experiment:get', { id: 9 })
    socket(0).say({ id: 1, reply: { ok: false, code: 'not-found', message: 'no experiment 9' } })
    await expect(answer).rejects.toMatchObject({ code: 'not-found', message: 'no experiment 9' })
  })

  test('are rejected as disconnected when the socket closes', async () => {
    const { api, socket, connection } = setUp()
    socket(0).open()
    const answer = api.invoke('app:info', null)
    socket(0).close()
    await expect(answer).rejects.toMatchObject({ code: 'disconnected' })
    expect(connection.state.value).toBe('disconnected')
    await expect(api.invoke('app:info', null)).rejects.toMatchObject({ code: 'disconnected' })
  })
})

describe('connection', () => {
  test('is opened again, ever more slowly, until it stays', () => {
    const { socket, sockets, connection } = setUp()
    socket(0).close()
    vi.advanceTimersByTime(250)
    expect(sockets).toHaveLength(2)
    socket(1).close()
    vi.advanceTimersByTime(499)
    expect(sockets).toHaveLength(2)
    vi.advanceTimersByTime(1)
    expect(sockets).toHaveLength(3)
    socket(2).open()
    expect(connection.state.value).toBe('connected')
  })

  test('tells when it is there again, but not the first time', () => {
    const { socket, connection } = setUp()
    const listener = vi.fn()
    connection.onReconnect(listener)
    socket(0).open()
    expect(listener).not.toHaveBeenCalled()
    socket(0).close()
    vi.advanceTimersByTime(250)
    socket(1).open()
    expect(listener).toHaveBeenCalledOnce()
  })
})

describe('a host that is there but does not open the socket', () => {
  test('refuses the page, until a socket opens after all', async () => {
    const { api, socket, connection } = setUp(() => Promise.resolve(true))
    socket(0).open()
    socket(0).close()
    expect(connection.state.value).toBe('disconnected')
    await vi.advanceTimersByTimeAsync(250)
    socket(1).close()
    await vi.advanceTimersByTimeAsync(0)
    expect(connection.state.value).toBe('refused')
    await expect(api.invoke('app:info', null)).rejects.toMatchObject({
      code: 'disconnected',
      message: expect.stringContaining('open the address it printed') as string,
    })
    await vi.advanceTimersByTimeAsync(500)
    socket(2).open()
    expect(connection.state.value).toBe('connected')
  })

  test('is disconnected again when it goes away', async () => {
    let isThere = true
    const { socket, connection } = setUp(() => Promise.resolve(isThere))
    socket(0).close()
    await vi.advanceTimersByTimeAsync(250)
    expect(connection.state.value).toBe('refused')
    isThere = false
    socket(1).close()
    await vi.advanceTimersByTimeAsync(0)
    expect(connection.state.value).toBe('disconnected')
  })
})

test('events reach their listeners until these stop listening', () => {
  const { api, socket } = setUp()
  socket(0).open()
  const listener = vi.fn()
  const stop = api.on('job:event', listener)
  socket(0).say({ event: 'job:event', payload: { kind: 'done', runId: 4 } })
  socket(0).say({ event: 'event:of-a-newer-host', payload: null })
  expect(listener.mock.calls).toEqual([[{ kind: 'done', runId: 4 }]])
  stop()
  socket(0).say({ event: 'job:event', payload: { kind: 'done', runId: 5 } })
  expect(listener).toHaveBeenCalledOnce()
})
