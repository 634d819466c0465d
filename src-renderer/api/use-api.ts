import { inject, type InjectionKey } from 'vue'
import type { Connection } from '#renderer/api/connection.ts'
import type { AppApi } from '#shared/ipc/contract.ts'

export const apiKey: InjectionKey<AppApi> = Symbol('api')
export const connectionKey: InjectionKey<Connection> = Symbol('connection')

/**
 * The world outside the page, as `main.ts` or a test provides it.
 *
 * @throws Error outside a component or store of the app
 */
export function useApi(): AppApi {
  const api = inject(apiKey)
  if (api === undefined) throw new Error('no AppApi is provided: app.provide(apiKey, …) is missing')
  return api
}

/** Whether the host can be reached. */
export function useConnection(): Connection {
  const connection = inject(connectionKey)
  if (connection === undefined) {
    throw new Error('no Connection is provided: app.provide(connectionKey, …) is missing')
  }
  return connection
}
