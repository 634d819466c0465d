import { join } from 'node:path'
import { app, BrowserWindow, screen, type BrowserWindowConstructorOptions } from 'electron'
import {
  clampWindowState,
  loadWindowState,
  minimumSize,
  saveWindowState,
} from '#main/app/window-state.ts'
import { appUrl } from '#main/page/app-url.ts'
import { paths } from '#main/platform/paths.ts'

/** The page can do nothing but what the preload hands it. */
const webPreferences = (): NonNullable<BrowserWindowConstructorOptions['webPreferences']> => ({
  preload: paths.preload(),
  contextIsolation: true,
  sandbox: true,
  nodeIntegration: false,
  webSecurity: true,
  webviewTag: false,
  spellcheck: false,
})

/** Opens the window of the app where it was last, on a screen that is there now. */
export function openMainWindow(): BrowserWindow {
  const statePath = join(app.getPath('userData'), 'window-state.json')
  const primary = screen.getPrimaryDisplay()
  const others = screen.getAllDisplays().filter(({ id }) => id !== primary.id)
  const { isMaximized, ...bounds } = clampWindowState(
    loadWindowState(statePath),
    [primary, ...others].map(({ workArea }) => workArea),
  )
  const window = new BrowserWindow({
    ...bounds,
    minWidth: Math.min(minimumSize.width, bounds.width),
    minHeight: Math.min(minimumSize.height, bounds.height),
    title: 'Tessera',
    show: false,
    webPreferences: webPreferences(),
  })
  if (isMaximized) window.maximize()
  window.once('ready-to-show', () => {
    window.show()
  })
  window.on('close', () => {
    saveWindowState(statePath, {
      ...window.getNormalBounds(),
      isMaximized: window.isMaximized(),
    })
  })
  void window.loadURL(appUrl)
  return window
}

/** A window that nobody sees, to print from. */
export const createPrintWindow = (): BrowserWindow =>
  new BrowserWindow({
    show: false,
    webPreferences: { ...webPreferences(), backgroundThrottling: false },
  })
