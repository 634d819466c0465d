/**
 * Stands in for the module `electron` where there is no Electron binary: it records what the
 * desktop host asks for, and lets a test play the user and the page. Utility processes are real
 * processes, forked from Node.
 */
import { fork } from 'node:child_process'
import { EventEmitter } from 'node:events'

/** What a test sets before the desktop host is loaded. */
export interface StandInSettings {
  readonly appPath: string
  /** Whether this is the first instance. */
  readonly hasLock: boolean
  /** Work areas of the screens, the primary one first. */
  readonly screens: readonly Area[]
  /** What the save dialog answers; undefined for cancel. */
  readonly saveTo?: string
  /** What the report page says of itself. */
  readonly reportState: { readonly ready: string | null; readonly message: string | null }
}

interface Area {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export const settings = JSON.parse(process.env.STAND_IN ?? '') as StandInSettings

/** What the desktop host has asked for so far. */
export const recorded = {
  schemes: [] as unknown[],
  menu: [] as unknown[],
  openedExternally: [] as string[],
  utilityProcesses: [] as { modulePath: string; options: unknown; pid: number | undefined }[],
  errorBoxes: [] as string[],
  exposed: {} as Record<string, unknown>,
  sentByPreload: [] as unknown[][],
  permissionHandlers: {} as Record<string, unknown>,
}

type Handler = (...args: unknown[]) => unknown

const preventable = <Extra extends object>(extra: Extra) => {
  const event = {
    ...extra,
    defaultPrevented: false,
    preventDefault() {
      event.defaultPrevented = true
    },
  }
  return event
}

class StandInApp extends EventEmitter {
  readonly isPackaged = false
  readonly #paths = new Map<string, string>()
  name = ''

  setName(name: string): void {
    this.name = name
  }
  setPath(name: string, path: string): void {
    this.#paths.set(name, path)
  }
  getPath(name: string): string {
    return this.#paths.get(name) ?? `/nowhere/${name}`
  }
  getAppPath(): string {
    return settings.appPath
  }
  getVersion(): string {
    return '0.0.0-stand-in'
  }
  requestSingleInstanceLock(): boolean {
    return settings.hasLock
  }
  whenReady(): Promise<void> {
    return Promise.resolve()
  }
  quit(): void {
    this.emit('before-quit', preventable({}))
    for (const window of [...windows]) window.close()
    const event = preventable({})
    this.emit('will-quit', event)
    if (!event.defaultPrevented) process.exit(0)
  }
  exit(status: number): void {
    process.exit(status)
  }
}

class StandInContents extends EventEmitter {
  readonly sent: unknown[][] = []
  #openHandler: Handler = () => ({ action: 'allow' })

  setWindowOpenHandler(handler: Handler): void {
    this.#openHandler = handler
  }
  send(...message: unknown[]): void {
    this.sent.push(message)
  }
  executeJavaScript(): Promise<unknown> {
    return Promise.resolve(settings.reportState)
  }
  printToPDF(options: unknown): Promise<Buffer> {
    return Promise.resolve(Buffer.from(`%PDF-stand-in ${JSON.stringify(options)}`))
  }
  /** Plays a click on a link. @returns whether the page stayed where it is */
  navigate(event: 'will-navigate' | 'will-frame-navigate', url: string): boolean {
    const details = preventable({ url })
    this.emit(event, details)
    return details.defaultPrevented
  }
  /** Plays window.open. */
  open(url: string): unknown {
    return this.#openHandler({ url })
  }
}

const windows = new Set<BrowserWindow>()

export class BrowserWindow extends EventEmitter {
  static getAllWindows(): BrowserWindow[] {
    return [...windows]
  }
  static getFocusedWindow(): null {
    return null
  }

  readonly webContents = new StandInContents()
  readonly calls: string[] = []
  readonly loaded: string[] = []
  readonly options: Record<string, unknown>
  #isVisible = false
  #isMaximized = false

  constructor(options: Record<string, unknown>) {
    super()
    this.options = options
    windows.add(this)
    app.emit('web-contents-created', {}, this.webContents)
  }
  loadURL(url: string): Promise<void> {
    this.loaded.push(url)
    queueMicrotask(() => this.emit('ready-to-show'))
    return Promise.resolve()
  }
  show(): void {
    this.#isVisible = true
  }
  maximize(): void {
    this.#isMaximized = true
  }
  restore(): void {
    this.calls.push('restore')
  }
  focus(): void {
    this.calls.push('focus')
  }
  isVisible(): boolean {
    return this.#isVisible
  }
  isMinimized(): boolean {
    return true
  }
  isMaximized(): boolean {
    return this.#isMaximized
  }
  isDestroyed(): boolean {
    return !windows.has(this)
  }
  getNormalBounds(): unknown {
    const { x, y, width, height } = this.options
    return { x, y, width, height }
  }
  close(): void {
    this.emit('close', preventable({}))
    this.destroy()
    if (windows.size === 0) app.emit('window-all-closed')
  }
  destroy(): void {
    windows.delete(this)
  }
}

export const app = new StandInApp()

const ipcHandlers = new Map<string, Handler>()
export const ipcMain = {
  handle(channel: string, handler: Handler): void {
    ipcHandlers.set(channel, handler)
  },
}
/** Plays a page that calls ipcRenderer.invoke. */
export const invokeMain = (channel: string, event: unknown, ...args: unknown[]): unknown =>
  ipcHandlers.get(channel)?.(event, ...args)

const schemeHandlers = new Map<string, (request: Request) => Promise<Response>>()
export const protocol = {
  registerSchemesAsPrivileged(schemes: unknown[]): void {
    recorded.schemes.push(...schemes)
  },
  handle(scheme: string, handler: (request: Request) => Promise<Response>): void {
    schemeHandlers.set(scheme, handler)
  },
}
/** Plays a page that fetches. */
export async function fetchFrom(scheme: string, url: string, method: string) {
  // Request does not take URLs of other schemes: the handler reads these two members only.
  const response = await schemeHandlers.get(scheme)?.({ url, method } as Request)
  if (response === undefined) throw new Error(`nobody serves ${scheme}:`)
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: await response.text(),
  }
}

export const Menu = {
  buildFromTemplate: (template: unknown[]): unknown[] => template,
  setApplicationMenu(menu: unknown[]): void {
    recorded.menu = menu
  },
}

const displays = settings.screens.map((workArea, id) => ({ id, workArea }))
export const screen = {
  getPrimaryDisplay: () => displays[0],
  getAllDisplays: () => displays.toReversed(),
}

const keepHandler = (name: string) => (handler: unknown) => {
  recorded.permissionHandlers[name] = handler
}
export const session = {
  defaultSession: {
    setPermissionRequestHandler: keepHandler('request'),
    setPermissionCheckHandler: keepHandler('check'),
    setDevicePermissionHandler: keepHandler('device'),
  },
}

export const shell = {
  openExternal(url: string): Promise<void> {
    recorded.openedExternally.push(url)
    return Promise.resolve()
  },
}

export const dialog = {
  showErrorBox(title: string, text: string): void {
    recorded.errorBoxes.push(`${title}: ${text}`)
  },
  showSaveDialog: () =>
    Promise.resolve({
      canceled: settings.saveTo === undefined,
      filePath: settings.saveTo ?? '',
    }),
}

export const utilityProcess = {
  fork(modulePath: string, args: string[], options: Record<string, unknown>) {
    const child = fork(modulePath, args, {
      serialization: 'advanced',
      execArgv: [],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    })
    recorded.utilityProcesses.push({ modulePath, options, pid: child.pid })
    const port = new EventEmitter()
    child.on('message', message => port.emit('message', message))
    child.on('exit', code => port.emit('exit', code ?? 15))
    return Object.assign(port, {
      stderr: child.stderr,
      postMessage(message: object): void {
        if (child.connected) child.send(message)
      },
      kill: () => child.kill(),
    })
  },
}

export const contextBridge = {
  exposeInMainWorld(name: string, api: unknown): void {
    recorded.exposed[name] = api
  },
}

export const ipcRenderer = Object.assign(new EventEmitter(), {
  invoke(...message: unknown[]): Promise<unknown> {
    recorded.sentByPreload.push(message)
    return Promise.resolve({ ok: true, value: null })
  },
})
