import { mount } from '@vue/test-utils'
import { createPinia, setActivePinia } from 'pinia'
import { createApp, defineComponent, h, shallowRef, type Component } from 'vue'
import { createMemoryHistory, createRouter } from 'vue-router'
import type { Connection, ConnectionState } from '#renderer/api/connection.ts'
import { apiKey, connectionKey } from '#renderer/api/use-api.ts'
import { useShortcutKeys } from '#renderer/composables/useShortcutKeys.ts'
import type { FakeApi } from '#test/src-renderer/support/fake-api.ts'

export function createFakeConnection() {
  const state = shallowRef<ConnectionState>('connected')
  const listeners = new Set<() => void>()
  const connection: Connection = {
    state,
    onReconnect(listener) {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
  }
  const reconnect = () => {
    state.value = 'connected'
    for (const listener of listeners) listener()
  }
  return { connection, state, reconnect }
}

const pageNames = [
  'home',
  'lab',
  'wafer',
  'studies',
  'validation',
  'result',
  'history',
  'compare',
  'trash',
  'docs',
  'settings',
  'report',
]

const paths: Readonly<Record<string, string>> = {
  home: '/',
  result: '/experiments/:id',
  docs: '/docs/:page?',
}
const pathOf = (name: string): string => paths[name] ?? `/${name}`

/** Mounts a component as part of the app: with a host, stores and routes. */
export function mountInApp(
  component: Component,
  fake: FakeApi,
  props: Record<string, unknown> = {},
  { connection } = createFakeConnection(),
) {
  const router = createRouter({
    history: createMemoryHistory(),
    routes: pageNames.map(name => ({
      name,
      path: pathOf(name),
      component: defineComponent(() => () => h('div')),
    })),
  })
  const wrapper = mount(component, {
    props,
    global: {
      plugins: [createPinia(), router],
      provide: { [apiKey]: fake.api, [connectionKey]: connection },
    },
    attachTo: document.body,
  })
  return { wrapper, router }
}

/** A page with the keyboard of the app around it. */
export const withShortcutKeys = (page: Component): Component =>
  defineComponent(() => {
    useShortcutKeys()
    return () => h(page)
  })

/** Runs a composable or creates a store as a component of the app would; `stop` unmounts it. */
export function withApp<Result>(
  setup: () => Result,
  fake: FakeApi,
  { connection } = createFakeConnection(),
): { result: Result; stop: () => void } {
  let result: Result | undefined
  const app = createApp({
    setup() {
      result = setup()
      return () => null
    },
  })
  const pinia = createPinia()
  app.provide(apiKey, fake.api).provide(connectionKey, connection).use(pinia)
  setActivePinia(pinia)
  app.mount(document.createElement('div'))
  return {
    result: result as Result,
    stop: () => {
      app.unmount()
    },
  }
}
