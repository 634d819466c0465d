/** The only code between the sandboxed page and the main process: names and nothing else. */
import { contextBridge, ipcRenderer, type IpcRendererEvent } from 'electron'
import { EVENT, INVOKE, type DesktopBridge } from '#main/preload/bridge.ts'
import { channels } from '#shared/ipc/channels.ts'
import type { Reply } from '#shared/ipc/contract.ts'

const bridge: DesktopBridge = {
  invoke(channel, input) {
    if (!channels.includes(channel)) {
      return Promise.reject(new Error(`unknown channel: ${channel}`))
    }
    return ipcRenderer.invoke(INVOKE, channel, input) as Promise<Reply>
  },
  on(event, listener) {
    const forward = (_: IpcRendererEvent, name: unknown, payload: unknown) => {
      if (name === event) listener(payload as Parameters<typeof listener>[0])
    }
    ipcRenderer.on(EVENT, forward)
    return () => {
      ipcRenderer.off(EVENT, forward)
    }
  },
}

contextBridge.exposeInMainWorld('tessera', bridge)
