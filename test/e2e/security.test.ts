import { request } from 'node:http'
import { describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { useApplication } from '#test/support/e2e-application.ts'

const application = useApplication()

/** How the opening of a socket ends: 'open', or the status with which it is refused. */
function openSocket(query: string, headers: Record<string, string>): Promise<'open' | number> {
  const { port } = application.host
  const socket = new WebSocket(`ws://127.0.0.1:${String(port)}/ws${query}`, { headers })
  return new Promise((resolve, reject) => {
    socket.on('open', () => {
      socket.close()
      resolve('open')
    })
    socket.on('unexpected-response', (_request, response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    socket.on('error', reject)
  })
}

/** The status of a plain request with headers that `fetch` would not let through. */
const statusOf = (headers: Record<string, string>, method = 'GET'): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const { port } = application.host
    request({ host: '127.0.0.1', port, path: '/', method, headers }, response => {
      response.resume()
      resolve(response.statusCode)
    })
      .on('error', reject)
      .end()
  })

describe('the socket of the browser host', () => {
  test('opens with the token and from its own page only', async () => {
    const { origin, token } = application.host
    const right = `?token=${token}`
    expect(await openSocket(right, { origin })).toBe('open')
    expect(await openSocket('', { origin })).toBe(403)
    expect(await openSocket('?token=guess', { origin })).toBe(403)
    expect(await openSocket(right, { origin: 'https://example.org' })).toBe(403)
    expect(await openSocket(right, { origin: 'http://127.0.0.1:1' })).toBe(403)
    expect(await openSocket(right, { origin: 'null' })).toBe(403)
    expect(await openSocket(right, {})).toBe(403)
    expect(await openSocket(right, { origin: 'http://evil.test', host: 'evil.test' })).toBe(403)
  })
})

describe('the page of the browser host', () => {
  test('has a policy without inline or evaluated script', async () => {
    const { headers } = await fetch(application.host.origin)
    const directives = new Map(
      (headers.get('content-security-policy') ?? '').split(/;\s*/).map(text => {
        const [name = '', ...sources] = text.split(/\s+/)
        return [name, sources] as const
      }),
    )
    expect(directives.get('default-src')).toEqual(["'none'"])
    expect(directives.get('script-src')).toEqual(["'self'"])
    expect(directives.get('frame-ancestors')).toEqual(["'none'"])
    expect([...directives.values()].flat()).not.toContain("'unsafe-eval'")
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  })

  test('cannot run inline or evaluated script, nor reach another server', async () => {
    const page = await application.open('/', { expectedProblems: /Content Security Policy/i })
    const done = await page.evaluate(async () => {
      const inline = document.createElement('script')
      inline.textContent = 'window.inlineRan = true'
      document.head.append(inline)
      // What Playwright calls directly may evaluate; what runs later may not.
      const evaluated = await new Promise<string>(resolve => {
        setTimeout(() => {
          try {
            const make: unknown = Reflect.get(window, 'Function')
            resolve(typeof Reflect.construct(make as typeof Object, ['return 1']))
          } catch (error) {
            resolve(String(error))
          }
        })
      })
      const fetched = await fetch('http://127.0.0.1:1/').then(
        () => 'reached',
        () => 'refused',
      )
      return { inline: 'inlineRan' in window, evaluated, fetched }
    })
    expect(done.inline).toBe(false)
    expect(done.evaluated).toContain('EvalError')
    expect(done.fetched).toBe('refused')
  })

  test('takes the token out of the address', async () => {
    const page = await application.open()
    expect(page.url()).not.toContain('token')
    expect(await page.evaluate(() => document.referrer)).toBe('')
  })

  test('is served under its own name only, and only to be read', async () => {
    const own = `127.0.0.1:${String(application.host.port)}`
    expect(await statusOf({ host: own })).toBe(200)
    expect(await statusOf({ host: 'evil.test' })).toBe(403)
    expect(await statusOf({ host: own, origin: 'https://example.org' })).toBe(403)
    expect(await statusOf({ host: own }, 'POST')).toBe(405)
  })

  test('without a token reads nothing of the history', async () => {
    const { origin } = application.host
    const page = await application.open('/', { expectedProblems: /WebSocket/ })
    const other = await page.context().browser()?.newContext()
    const stranger = await other?.newPage()
    await stranger?.goto(`${origin}/#/history`)
    await stranger?.getByTestId('refused').waitFor()
    expect(await stranger?.getByTestId('history-row').count()).toBe(0)
    await other?.close()
  })
})
