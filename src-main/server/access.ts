import { randomBytes, timingSafeEqual } from 'node:crypto'

/** 256 random bits, fit for a URL. */
export const createToken = (): string => randomBytes(32).toString('base64url')

/** Compares without telling by its duration how much of the token was right. */
export function isToken(candidate: string | null, token: string): boolean {
  const given = Buffer.from(candidate ?? '')
  const expected = Buffer.from(token)
  return given.length === expected.length && timingSafeEqual(given, expected)
}

/**
 * Whether the Host header names this server on loopback. A foreign name that resolves to
 * 127.0.0.1 (DNS rebinding) does not.
 */
export const isOwnHost = (host: string | undefined, port: number): host is string =>
  host === `127.0.0.1:${String(port)}` || host === `localhost:${String(port)}`

/** Whether a request comes from a page of this server. */
export const isOwnOrigin = (origin: string | undefined, host: string): boolean =>
  origin === `http://${host}`
