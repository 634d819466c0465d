import { valueOf } from '#renderer/api/reply.ts'
import type { Channel } from '#shared/ipc/channels.ts'
import type { AppApi, Events, Input, Output, Reply } from '#shared/ipc/contract.ts'

/** What the preload script exposes as `window.tessera`. */
export interface DesktopBridge {
  invoke(channel: Channel, input: unknown): Promise<Reply>
  on<E extends keyof Events>(event: E, listener: (payload: Events[E]) => void): () => void
}

declare global {
  interface Window {
    /** Present in the desktop host only. */
    readonly tessera?: DesktopBridge
  }
}

/** The API over Electron's message channel. */
export const createDesktopApi = (bridge: DesktopBridge): AppApi => ({
  invoke: async <C extends Channel>(channel: C, input: Input<C>) =>
    valueOf(await bridge.invoke(channel, input)) as Output<C>,
  on: (event, listener) => bridge.on(event, listener),
})
