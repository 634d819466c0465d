import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { readPageFile } from '#main/page/page-files.ts'
import { pageHeaders } from '#main/page/page-headers.ts'
import { createToken, isOwnHost, isOwnOrigin, isToken } from '#main/server/access.ts'
import type { Downloads } from '#main/server/downloads.ts'
import { createPageSockets, type PageService } from '#main/server/page-sockets.ts'

export interface BrowserHostOptions {
  /** 0 for any free one. */
  readonly port: number
  /** Where the page was built to. */
  readonly pageDirectory: string
  readonly service: PageService
  readonly downloads: Downloads
  readonly heartbeatMs?: number
}

export interface BrowserHost {
  readonly port: number
  /** The page, with the token that opens it: whoever has this URL has the app. */
  readonly url: string
  /**
   * A URL that leads to the page once. For the command that opens the browser: other users of the
   * machine can read its arguments.
   */
  urlForOpening(): string
  close(): Promise<void>
}

/** The port cannot be had. */
export class PortInUseError extends Error {
  override readonly name = 'PortInUseError'

  constructor(port: number, cause: unknown) {
    super(
      `port ${String(port)} on 127.0.0.1 is in use by another program (or another Tessera); ` +
        'choose one with --port N, or any free one with --port 0',
      { cause },
    )
  }
}

/**
 * Serves the page and the core behind it, on loopback only.
 *
 * The token is in the query of the page's URL; the page takes it out of the address bar and opens
 * its WebSocket with it. All data is behind the socket; the files of the page are the same for
 * everyone and need no token, so that a reload works. There is no cookie: cookies of 127.0.0.1 are
 * shared by all ports, and other local servers would be sent the token.
 *
 * @throws PortInUseError
 */
export async function startBrowserHost(options: BrowserHostOptions): Promise<BrowserHost> {
  const token = createToken()
  const openingCodes = new Set<string>()
  const server = createServer((request, response) => {
    void respond(request, response)
  })
  const port = await listen(server, options.port)
  const sockets = createPageSockets(options.service, options.heartbeatMs)

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { host, origin } = request.headers
    if (!isOwnHost(host, port) || (origin !== undefined && !isOwnOrigin(origin, host))) {
      refuse(response, 403, 'This server answers only to its own address on this machine.')
      return
    }
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.setHeader('allow', 'GET, HEAD')
      refuse(response, 405, 'Only GET and HEAD are answered.')
      return
    }
    const [path] = splitOnce(request.url ?? '/', '?')
    if (path.startsWith('/download/') && request.method === 'GET') {
      sendDownload(response, path)
      return
    }
    if (path.startsWith('/open/') && request.method === 'GET') {
      if (!openingCodes.delete(path.slice('/open/'.length))) {
        refuse(response, 404, 'This address opens the app once only, and it has been used.')
        return
      }
      response.writeHead(302, {
        ...pageHeaders(),
        location: `/?token=${token}`,
        'cache-control': 'no-store',
      })
      response.end()
      return
    }
    const file = await readPageFile(options.pageDirectory, path)
    if (file === undefined) {
      refuse(response, 404, 'There is nothing here.')
      return
    }
    response.writeHead(200, {
      ...pageHeaders([`ws://${host}`]),
      'content-type': file.contentType,
      'content-length': file.body.length,
      // File names carry a hash of the content, except for the page itself.
      'cache-control': file.contentType.startsWith('text/html')
        ? 'no-store'
        : 'private, max-age=3600',
    })
    response.end(request.method === 'HEAD' ? undefined : file.body)
  }

  function sendDownload(response: ServerResponse, path: string): void {
    const download = options.downloads.take(path)
    if (download === undefined) {
      refuse(response, 404, 'This file has been fetched already, or was never here.')
      return
    }
    response.writeHead(200, {
      ...pageHeaders(),
      'content-type': download.contentType,
      'content-length': download.body.length,
      'content-disposition': `attachment; filename="${download.fileName.replaceAll(/[^\w. -]/g, '_')}"`,
      'cache-control': 'no-store',
    })
    response.end(download.body)
  }

  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy())
    const { host, origin } = request.headers
    const [path, query = ''] = splitOnce(request.url ?? '/', '?')
    const isAllowed =
      path === '/ws' &&
      isOwnHost(host, port) &&
      isOwnOrigin(origin, host) &&
      isToken(new URLSearchParams(query).get('token'), token)
    if (isAllowed) sockets.accept(request, socket, head)
    else socket.end('HTTP/1.1 403 Forbidden\r\nconnection: close\r\ncontent-length: 0\r\n\r\n')
  })

  return {
    port,
    url: `http://127.0.0.1:${String(port)}/?token=${token}`,
    urlForOpening() {
      const code = createToken()
      openingCodes.add(code)
      return `http://127.0.0.1:${String(port)}/open/${code}`
    },
    close: () =>
      new Promise(resolve => {
        sockets.close()
        server.close(() => {
          resolve()
        })
        server.closeAllConnections()
      }),
  }
}

function listen(server: ReturnType<typeof createServer>, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(error.code === 'EADDRINUSE' ? new PortInUseError(port, error) : error)
    })
    server.listen({ port, host: '127.0.0.1' }, () => {
      resolve((server.address() as AddressInfo).port)
    })
  })
}

function refuse(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { ...pageHeaders(), 'content-type': 'text/plain; charset=utf-8' })
  response.end(`${message}\n`)
}

function splitOnce(text: string, separator: string): [string, string?] {
  const index = text.indexOf(separator)
  return index < 0 ? [text] : [text.slice(0, index), text.slice(index + 1)]
}
