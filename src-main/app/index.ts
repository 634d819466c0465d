/** Entry of the desktop host: the only place that wires its parts. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { app, BrowserWindow, dialog } from 'electron'
import { declareAppScheme, serveAppScheme } from '#main/app/app-protocol.ts'
import { confinePages, denyPermissions } from '#main/app/confine-pages.ts'
import { saveReport } from '#main/app/desktop-report.ts'
import { installMenu } from '#main/app/menu.ts'
import { openMainWindow } from '#main/app/page-window.ts'
import { createCore } from '#main/core/create-core.ts'
import { dataDirectory } from '#main/core/data-directory.ts'
import { registerIpc } from '#main/ipc/register-ipc.ts'
import { launchUtilityWorker } from '#main/jobs/electron-endpoint.ts'
import { paths } from '#main/platform/paths.ts'

app.setName('Tessera')
app.setPath('userData', join(dataDirectory(), 'desktop'))

// One instance for each history: a second one brings the first to the front.
if (app.requestSingleInstanceLock()) {
  declareAppScheme()
  confinePages()
  app.on('second-instance', focusMainWindow)
  app.whenReady().then(start).catch(fail)
} else {
  app.quit()
}

function start(): void {
  mkdirSync(app.getPath('userData'), { recursive: true })
  const core = createCore({
    host: 'desktop',
    dataDirectory: dataDirectory(),
    appVersion: app.getVersion(),
    launchWorker: () => launchUtilityWorker(paths.worker()),
    printReport: saveReport,
    log: line => process.stderr.write(`${line}\n`),
  })
  denyPermissions()
  serveAppScheme(paths.page())
  registerIpc(core)
  installMenu()
  openMainWindow()

  app.on('activate', () => {
    if (BrowserWindow.getAllWindows().length === 0) openMainWindow()
  })
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') app.quit()
  })
  closeOnQuit(() => core.close())
}

/** Lets the core stop its workers and close the history before the app ends. */
function closeOnQuit(close: () => Promise<void>): void {
  let isClosed = false
  app.on('will-quit', event => {
    if (isClosed) return
    event.preventDefault()
    void close().finally(() => {
      isClosed = true
      app.quit()
    })
  })
}

function focusMainWindow(): void {
  const window = BrowserWindow.getAllWindows().find(
    candidate => candidate.isVisible() || candidate.isMinimized(),
  )
  if (window === undefined) return
  if (window.isMinimized()) window.restore()
  window.focus()
}

function fail(error: unknown): void {
  dialog.showErrorBox(
    'Tessera cannot start',
    error instanceof Error ? error.message : String(error),
  )
  app.exit(1)
}
