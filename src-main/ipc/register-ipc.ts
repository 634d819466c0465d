import { BrowserWindow, ipcMain } from 'electron'
import { isAppUrl } from '#main/page/app-url.ts'
import { EVENT, INVOKE } from '#main/preload/bridge.ts'
import type { Reply } from '#shared/ipc/contract.ts'

/** What the pages need of the core. */
interface PageService {
  dispatch(channel: string, raw: unknown): Promise<Reply>
  subscribe(listener: (event: { type: string; payload: unknown }) => void): () => void
}

/** Connects the pages of the desktop host to the core; only the app's own page is answered. */
export function registerIpc(service: PageService): void {
  ipcMain.handle(INVOKE, async (event, channel: unknown, input: unknown): Promise<Reply> => {
    const frame = event.senderFrame
    // A closed frame is null, a frame within the page has a parent.
    if (frame?.parent !== null || !isAppUrl(frame.url)) {
      return refusal(`a request from ${frame?.url ?? 'a closed frame'} is not answered`)
    }
    if (typeof channel !== 'string') return refusal('the channel must be a string')
    return service.dispatch(channel, input ?? null)
  })
  service.subscribe(({ type, payload }) => {
    for (const window of BrowserWindow.getAllWindows()) {
      if (!window.isDestroyed()) window.webContents.send(EVENT, type, payload)
    }
  })
}

const refusal = (message: string): Reply => ({ ok: false, code: 'bad-input', message })
