import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer, type RawData, type WebSocket } from 'ws'
import type { Reply } from '#shared/ipc/contract.ts'
import type { WireMessage, WireRequest } from '#shared/ipc/wire.ts'

/** What the sockets need of the core. */
export interface PageService {
  dispatch(channel: string, raw: unknown): Promise<Reply>
  subscribe(listener: (event: { type: string; payload: unknown }) => void): () => void
}

/** The WebSockets of the open pages. */
export interface PageSockets {
  /** Takes over a connection whose right to be here has been checked. */
  accept(request: IncomingMessage, socket: Duplex, head: Buffer): void
  close(): void
}

/** Requests are small: the largest is a list of ten thousand experiment ids. */
const maximumRequestBytes = 2 ** 20
const closeGoingAway = 1001
const closeUnsupportedData = 1003
const closePolicyViolation = 1008

/**
 * Carries requests, replies and events between the pages and the core.
 *
 * @param heartbeatMs a page that has not answered a ping for this long is cut off
 */
export function createPageSockets(service: PageService, heartbeatMs = 30_000): PageSockets {
  const server = new WebSocketServer({ noServer: true, maxPayload: maximumRequestBytes })
  const unanswered = new WeakSet<WebSocket>()

  const unsubscribe = service.subscribe(({ type, payload }) => {
    for (const socket of server.clients) send(socket, { event: type, payload })
  })
  const heartbeat = setInterval(() => {
    for (const socket of server.clients) {
      if (unanswered.has(socket)) {
        socket.terminate()
        continue
      }
      unanswered.add(socket)
      socket.ping()
    }
  }, heartbeatMs)
  heartbeat.unref()

  server.on('connection', socket => {
    socket.on('pong', () => unanswered.delete(socket))
    socket.on('error', () => {
      socket.terminate() // too large a message, or no UTF-8: nothing to be said to it
    })
    socket.on('message', (data, isBinary) => {
      if (isBinary) {
        socket.close(closeUnsupportedData, 'only text messages')
        return
      }
      void answer(socket, data)
    })
  })

  async function answer(socket: WebSocket, data: RawData): Promise<void> {
    const request = parseRequest(data)
    if (request === undefined) {
      socket.close(closePolicyViolation, 'a message must be {id, channel, input}')
      return
    }
    const reply = await service.dispatch(request.channel, request.input)
    send(socket, { id: request.id, reply })
  }

  return {
    accept(request, socket, head) {
      server.handleUpgrade(request, socket, head, webSocket => {
        server.emit('connection', webSocket, request)
      })
    },
    close() {
      clearInterval(heartbeat)
      unsubscribe()
      for (const socket of server.clients) {
        socket.close(closeGoingAway, 'the server stops')
        socket.terminate()
      }
      server.close()
    },
  }
}

function send(socket: WebSocket, message: WireMessage): void {
  if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(message))
}

function parseRequest(data: RawData): WireRequest | undefined {
  let value: unknown
  try {
    // The server asked for no fragments: text arrives as one Buffer.
    value = JSON.parse((data as Buffer).toString('utf8'))
  } catch {
    return undefined
  }
  if (typeof value !== 'object' || value === null) return undefined
  const { id, channel, input } = value as Record<string, unknown>
  if (typeof id !== 'number' || !Number.isSafeInteger(id)) return undefined
  if (typeof channel !== 'string') return undefined
  return { id, channel, input: input ?? null }
}
