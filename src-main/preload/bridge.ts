import type { Channel } from '#shared/ipc/channels.ts'
import type { Events, Reply } from '#shared/ipc/contract.ts'

/** Electron's channel for every request: its arguments are a channel of the contract and the input. */
export const INVOKE = 'tessera:invoke'
/** Electron's channel for every event: its arguments are the event's name and payload. */
export const EVENT = 'tessera:event'

/** What the page finds as `window.tessera`. Replies are data: errors lose their code on this way. */
export interface DesktopBridge {
  invoke(channel: Channel, input: unknown): Promise<Reply>
  /** @returns a function that stops listening */
  on<E extends keyof Events>(event: E, listener: (payload: Events[E]) => void): () => void
}
