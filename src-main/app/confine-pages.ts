import { app, session, shell } from 'electron'
import { isAppUrl, isExternalLink } from '#main/page/app-url.ts'

/**
 * Keeps every page where it is: no navigation away, no new windows, no webviews, no permissions.
 * Links to the web open in the system's browser.
 */
export function confinePages(): void {
  app.on('web-contents-created', (_, contents) => {
    contents.on('will-navigate', event => {
      if (isAppUrl(event.url)) return
      event.preventDefault()
      openExternally(event.url)
    })
    contents.on('will-frame-navigate', event => {
      if (!isAppUrl(event.url)) event.preventDefault()
    })
    contents.on('will-attach-webview', event => {
      event.preventDefault()
    })
    contents.setWindowOpenHandler(({ url }) => {
      openExternally(url)
      return { action: 'deny' }
    })
  })
}

/** Denies whatever a page may ask for; once the app is ready. */
export function denyPermissions(): void {
  session.defaultSession.setPermissionRequestHandler((_, __, callback) => {
    callback(false)
  })
  session.defaultSession.setPermissionCheckHandler(() => false)
  session.defaultSession.setDevicePermissionHandler(() => false)
}

function openExternally(url: string): void {
  if (isExternalLink(url)) void shell.openExternal(url)
}
