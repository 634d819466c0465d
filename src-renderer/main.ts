import 'element-plus/dist/index.css'
import 'element-plus/theme-chalk/dark/css-vars.css'
import '#renderer/styles/theme.css'
import '#renderer/styles/base.css'
import '#renderer/styles/print.css'
import { createPinia } from 'pinia'
import { createApp } from 'vue'
import { createRouter, createWebHashHistory } from 'vue-router'
import { createBrowserApi } from '#renderer/api/browser-api.ts'
import { permanentConnection } from '#renderer/api/connection.ts'
import { createDesktopApi } from '#renderer/api/desktop-api.ts'
import { socketAddress, takeSessionToken } from '#renderer/api/session-token.ts'
import { apiKey, connectionKey } from '#renderer/api/use-api.ts'
import App from '#renderer/app/App.vue'
import { routes } from '#renderer/app/routes.ts'
import { useLabDraftStore } from '#renderer/state/lab-draft-store.ts'
import { useThemeStore } from '#renderer/state/theme-store.ts'
import { useWaferDraftStore } from '#renderer/state/wafer-draft-store.ts'

const { api, connection } = openHost()
const router = createRouter({ history: createWebHashHistory(), routes })

const pinia = createPinia()
// Before anything is drawn: a page that turns dark afterwards was seen with texts still dark.
useThemeStore(pinia)

const app = createApp(App)
  .provide(apiKey, api)
  .provide(connectionKey, connection)
  .use(pinia)
  .use(router)
// Only a router that is ready follows the address: a change before that would be lost. Drafts are
// there before anything is shown, unless the host does not answer.
const drafts = app.runWithContext(() =>
  Promise.all([useLabDraftStore(pinia).load(), useWaferDraftStore(pinia).load()]),
)
void Promise.all([router.isReady(), Promise.race([drafts, pause(2000)])]).finally(() =>
  app.mount('#app'),
)

function openHost() {
  if (window.tessera !== undefined) {
    return { api: createDesktopApi(window.tessera), connection: permanentConnection() }
  }
  const address = socketAddress(window.location, takeSessionToken(window))
  const isHostThere = (): Promise<boolean> =>
    fetch('./', { method: 'HEAD' }).then(
      ({ ok }) => ok,
      () => false,
    )
  return createBrowserApi(() => new WebSocket(address), isHostThere)
}

function pause(ms: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, ms))
}
