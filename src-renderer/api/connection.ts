import { readonly, shallowRef, type DeepReadonly, type ShallowRef } from 'vue'

/** Refused: there is a host, but it does not know this page; it was started anew, for example. */
export type ConnectionState = 'connecting' | 'connected' | 'disconnected' | 'refused'

/** Whether the host can be reached, and when it can be again. */
export interface Connection {
  readonly state: DeepReadonly<ShallowRef<ConnectionState>>
  /** @returns a function that stops listening */
  onReconnect(listener: () => void): () => void
}

/** The desktop host lives and dies with its window. */
export const permanentConnection = (): Connection => ({
  state: readonly(shallowRef<ConnectionState>('connected')),
  onReconnect: () => () => undefined,
})
