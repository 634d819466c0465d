import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { get, request as httpRequest, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { PortInUseError, startBrowserHost, type BrowserHost } from '#main/server/browser-host.ts'
import { createDownloads, type Downloads } from '#main/server/downloads.ts'
import type { PageService } from '#main/server/page-sockets.ts'
import type { WireMessage } from '#shared/ipc/wire.ts'

interface Answer {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

type Listener = Parameters<PageService['subscribe']>[0]

let directory: string
let host: BrowserHost
let downloads: Downloads
const listeners = new Set<Listener>()
const service: PageService = {
  dispatch: (channel, raw) => Promise.resolve({ ok: true, value: { channel, raw } }),
  subscribe(listener) {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'tessera-host-'))
  const pageDirectory = join(directory, 'page')
  mkdirSync(join(pageDirectory, 'assets'), { recursive: true })
  writeFileSync(join(pageDirectory, 'index.html'), '<!doctype html><title>Tessera</title>')
  writeFileSync(join(pageDirectory, 'assets', 'app.js'), 'export {}')
  writeFileSync(join(directory, 'secret.txt'), 'secret')
  symlinkSync(join(directory, 'secret.txt'), join(pageDirectory, 'link.txt'))
  downloads = createDownloads()
  host = await startBrowserHost({ port: 0, pageDirectory, service, downloads, heartbeatMs: 40 })
})

afterEach(async () => {
  await host.close()
  rmSync(directory, { recursive: true })
})

const own = () => `127.0.0.1:${String(host.port)}`
const token = () => new URL(host.url).searchParams.get('token') ?? ''

function fetchPath(path: string, headers: Record<string, string> = {}, method = 'GET') {
  return new Promise<Answer>((resolve, reject) => {
    const request = httpRequest(
      { host: '127.0.0.1', port: host.port, path, method, headers },
      response => {
        let body = ''
        response.on('data', (chunk: Buffer) => (body += chunk.toString()))
        response.on('end', () => {
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body })
        })
      },
    )
    request.on('error', reject)
    request.end()
  })
}

function openSocket(options: { path?: string; origin?: string; host?: string } = {}) {
  const path = options.path ?? `/ws?token=${token()}`
  return new WebSocket(`ws://127.0.0.1:${String(host.port)}${path}`, {
    origin: options.origin ?? `http://${own()}`,
    headers: { host: options.host ?? own() },
  })
}

const opened = (socket: WebSocket) =>
  new Promise<string>(resolve => {
    socket.once('open', () => {
      resolve('open')
    })
    socket.once('error', error => {
      resolve(error.message)
    })
  })

const nextMessage = (socket: WebSocket) =>
  new Promise<WireMessage>(resolve => {
    socket.once('message', data => {
      resolve(JSON.parse((data as Buffer).toString()) as WireMessage)
    })
  })

const closed = (socket: WebSocket) =>
  new Promise<number>(resolve => {
    socket.once('close', code => {
      resolve(code)
    })
  })

describe('the files of the page', () => {
  test('the page is served with a policy that allows no inline and no evaluated script', async () => {
    const { status, headers, body } = await fetchPath('/')
    expect(status).toBe(200)
    expect(body).toContain('<title>Tessera</title>')
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    const policy = String(headers['content-security-policy'])
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("script-src 'self';")
    expect(policy).toContain(`connect-src 'self' ws://${own()};`)
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toContain('unsafe-eval')
    expect(headers['x-content-type-options']).toBe('nosniff')
    expect(headers['referrer-policy']).toBe('no-referrer')
  })

  test('scripts have the type that nosniff demands', async () => {
    const { status, headers } = await fetchPath('/assets/app.js')
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('text/javascript; charset=utf-8')
  })

  test.each([
    '/../secret.txt',
    '/..%2fsecret.txt',
    '/%2e%2e/secret.txt',
    '/assets/%2e%2e/%2e%2e/secret.txt',
    '/..%5csecret.txt',
    '//etc/passwd',
    '/link.txt',
    '/%00',
    '/%',
    '/assets',
    '/nothing.js',
  ])('%s is not found', async path => {
    const { status, body } = await fetchPath(path)
    expect(status).toBe(404)
    expect(body).not.toContain('secret')
  })

  test('only GET and HEAD are answered', async () => {
    expect((await fetchPath('/', {}, 'POST')).status).toBe(405)
    const head = await fetchPath('/', {}, 'HEAD')
    expect([head.status, head.body]).toEqual([200, ''])
  })

  test('the server listens on loopback only', async () => {
    const outcome = await new Promise<string>(resolve => {
      const socket = connect(host.port, '127.0.0.2')
      socket.on('connect', () => {
        socket.destroy()
        resolve('connected')
      })
      socket.on('error', error => {
        resolve((error as NodeJS.ErrnoException).code ?? '')
      })
    })
    expect(outcome).toBe('ECONNREFUSED')
  })
})

describe('who is answered', () => {
  test.each(['evil.example', 'evil.example:80', '127.0.0.1', '127.0.0.1:1'])(
    'a request to the host name "%s" is refused (DNS rebinding)',
    async name => {
      expect((await fetchPath('/', { host: name })).status).toBe(403)
    },
  )

  test('a refusal carries the policy, too', async () => {
    const refused = await fetchPath('/', { host: 'evil.example' })
    const missing = await fetchPath('/gone.html')
    const method = await fetchPath('/', {}, 'POST')
    expect([refused.status, missing.status, method.status]).toEqual([403, 404, 405])
    for (const { headers } of [refused, missing, method]) {
      expect(headers['content-security-policy']).toContain("default-src 'none'")
      expect(headers['x-content-type-options']).toBe('nosniff')
    }
  })

  test('a socket to a foreign host name is refused, even with the token and that origin', async () => {
    const host = `evil.example:${own().split(':')[1] ?? ''}`
    expect(await opened(openSocket({ host, origin: `http://${host}` }))).toContain('403')
  })

  test('a page of another origin is refused', async () => {
    expect((await fetchPath('/', { origin: 'http://evil.example' })).status).toBe(403)
    expect((await fetchPath('/', { origin: `http://${own()}` })).status).toBe(200)
  })

  test('the token has 256 random bits and is another one for each server', () => {
    expect(Buffer.from(token(), 'base64url')).toHaveLength(32)
  })

  test('a socket with the token opens', async () => {
    const socket = openSocket()
    expect(await opened(socket)).toBe('open')
    socket.terminate()
  })

  test.each([
    ['without a token', { path: '/ws' }],
    ['with a wrong token', { path: '/ws?token=AAAA' }],
    ['with a wrong token of the right length', { path: `/ws?token=${'A'.repeat(43)}` }],
    ['from another origin', { origin: 'http://evil.example' }],
    ['from an opaque origin', { origin: 'null' }],
    ['to another host name', { host: 'evil.example' }],
  ])('a socket %s is refused', async (_, options) => {
    expect(await opened(openSocket(options))).toContain('403')
  })

  test('a socket at another path is refused, even with the token', async () => {
    expect(await opened(openSocket({ path: `/other?token=${token()}` }))).toContain('403')
  })
})

describe('messages', () => {
  test('a request is dispatched and its reply carries its id', async () => {
    const socket = openSocket()
    await opened(socket)
    socket.send(JSON.stringify({ id: 7, channel: 'app:info', input: null }))
    expect(await nextMessage(socket)).toEqual({
      id: 7,
      reply: { ok: true, value: { channel: 'app:info', raw: null } },
    })
    socket.terminate()
  })

  test('an event reaches every open page', async () => {
    const [first, second] = [openSocket(), openSocket()]
    await Promise.all([opened(first), opened(second)])
    const messages = Promise.all([nextMessage(first), nextMessage(second)])
    for (const listener of listeners) listener({ type: 'history:changed', payload: null })
    const expected = { event: 'history:changed', payload: null }
    expect(await messages).toEqual([expected, expected])
    first.terminate()
    second.terminate()
  })

  test('a message beyond the size limit closes its socket, and only that one', async () => {
    const [greedy, modest] = [openSocket(), openSocket()]
    await Promise.all([opened(greedy), opened(modest)])
    greedy.send(JSON.stringify({ id: 1, channel: 'x', input: 'x'.repeat(2 ** 20) }))
    expect(await closed(greedy)).toBe(1009)
    modest.send(JSON.stringify({ id: 2, channel: 'app:info', input: null }))
    expect(await nextMessage(modest)).toMatchObject({ id: 2 })
    modest.terminate()
  })

  test.each([
    '{',
    '[]',
    '7',
    'null',
    '{"id":"1","channel":"x"}',
    '{"id":1}',
    '{"id":1.5,"channel":"x"}',
  ])('the malformed message %s closes the socket', async text => {
    const socket = openSocket()
    await opened(socket)
    socket.send(text)
    expect(await closed(socket)).toBe(1008)
  })

  test('a binary message closes the socket', async () => {
    const socket = openSocket()
    await opened(socket)
    socket.send(Buffer.from('{"id":1,"channel":"x"}'))
    expect(await closed(socket)).toBe(1003)
  })

  test('a page that answers no ping is cut off', async () => {
    const socket = new WebSocket(`ws://${own()}/ws?token=${token()}`, {
      origin: `http://${own()}`,
      autoPong: false,
    })
    await opened(socket)
    expect(await closed(socket)).toBe(1006)
  })

  test('a page that answers pings stays connected', async () => {
    const socket = openSocket()
    await opened(socket)
    await new Promise(resolve => setTimeout(resolve, 200))
    expect(socket.readyState).toBe(WebSocket.OPEN)
    socket.terminate()
  })
})

describe('downloads', () => {
  const report = {
    fileName: 'report "1".pdf',
    contentType: 'application/pdf',
    body: Buffer.from('%PDF-1.7'),
  }

  test('a file can be fetched once', async () => {
    const path = downloads.offer(report)
    const first = await fetchPath(path)
    expect([first.status, first.body]).toEqual([200, '%PDF-1.7'])
    expect(first.headers['content-disposition']).toBe('attachment; filename="report _1_.pdf"')
    expect(first.headers['content-type']).toBe('application/pdf')
    expect((await fetchPath(path)).status).toBe(404)
  })

  test('a HEAD request does not use the file up', async () => {
    const path = downloads.offer(report)
    await fetchPath(path, {}, 'HEAD')
    expect((await fetchPath(path)).status).toBe(200)
  })

  test('an invented path finds nothing', async () => {
    downloads.offer(report)
    expect((await fetchPath(`/download/${'A'.repeat(43)}`)).status).toBe(404)
  })
})

describe('starting and stopping', () => {
  test('a port in use is named, with what to do', async () => {
    const second = startBrowserHost({
      port: host.port,
      pageDirectory: directory,
      service,
      downloads,
    })
    await expect(second).rejects.toThrow(PortInUseError)
    await expect(second).rejects.toThrow(
      `port ${String(host.port)} on 127.0.0.1 is in use by another program (or another Tessera); ` +
        'choose one with --port N, or any free one with --port 0',
    )
  })

  test('closing ends open sockets, stops listening and lets go of the core', async () => {
    const socket = openSocket()
    await opened(socket)
    const end = closed(socket)
    await host.close()
    await end
    expect(listeners.size).toBe(0)
    const outcome = await new Promise<string>(resolve => {
      get(host.url, () => {
        resolve('answered')
      }).on('error', error => {
        resolve((error as NodeJS.ErrnoException).code ?? '')
      })
    })
    expect(outcome).toBe('ECONNREFUSED')
  })
})

describe('the address for the command that opens the browser', () => {
  const opening = () => new URL(host.urlForOpening()).pathname

  test('leads to the page with its token, and does not have it itself', async () => {
    const path = opening()
    expect(path).not.toContain(token())
    const answer = await fetchPath(path, { host: own() })
    expect(answer.status).toBe(302)
    expect(answer.headers.location).toBe(`/?token=${token()}`)
  })

  test('works once', async () => {
    const path = opening()
    await fetchPath(path, { host: own() })
    const again = await fetchPath(path, { host: own() })
    expect(again.status).toBe(404)
    expect(again.headers.location).toBeUndefined()
    expect(again.body).toContain('has been used')
  })

  test('is not guessed', async () => {
    opening()
    const answer = await fetchPath('/open/', { host: own() })
    expect(answer.status).toBe(404)
  })
})
