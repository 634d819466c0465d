import { beforeEach, expect, test, vi } from 'vitest'
import { socketAddress, takeSessionToken } from '#renderer/api/session-token.ts'

function pageAt(href: string) {
  const replaceState = vi.fn()
  const page = {
    location: { href },
    history: { state: null, replaceState },
    sessionStorage: window.sessionStorage,
  } as unknown as Window
  return { page, replaceState }
}

beforeEach(() => {
  window.sessionStorage.clear()
})

test('the token leaves the address bar and survives a reload', () => {
  const { page, replaceState } = pageAt('http://127.0.0.1:4000/?token=abc#/report?experiments=1')
  expect(takeSessionToken(page)).toBe('abc')
  expect(String(replaceState.mock.calls[0]?.[2])).toBe(
    'http://127.0.0.1:4000/#/report?experiments=1',
  )
  expect(takeSessionToken(pageAt('http://127.0.0.1:4000/#/lab').page)).toBe('abc')
})

test('without a token there is none', () => {
  expect(takeSessionToken(pageAt('http://127.0.0.1:4000/').page)).toBe('')
})

test('the socket is on the host of the page', () => {
  expect(socketAddress({ host: '127.0.0.1:4000', protocol: 'http:' }, 'a b')).toBe(
    'ws://127.0.0.1:4000/ws?token=a%20b',
  )
})
