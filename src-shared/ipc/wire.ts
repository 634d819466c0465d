import type { Reply } from '#shared/ipc/contract.ts'

/** What the page of the browser host sends over its WebSocket. */
export interface WireRequest {
  readonly id: number
  readonly channel: string
  readonly input: unknown
}

/** What the browser host answers, or tells without being asked. */
export type WireMessage =
  | { readonly id: number; readonly reply: Reply }
  | { readonly event: string; readonly payload: unknown }
