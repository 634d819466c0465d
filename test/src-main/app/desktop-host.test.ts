import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { buildWhenStale } from '#main/start/build-when-stale.ts'
import type { Reply } from '#shared/ipc/contract.ts'
import { chipPresets, workloadPresets } from '#shared/presets/presets.ts'
import { startStandIn, type StandInProcess } from '#test/support/electron-stand-in-process.ts'
import { projectRoot } from '#test/support/source-files.ts'

const builtMain = 'out/main/index.js'
const ownFrame = { url: 'app://tessera/index.html#/lab', parent: null }

let dataDirectory: string
const running: StandInProcess[] = []

/** For tests that leave no trace. */
let shared: StandInProcess
const sharedDirectory = mkdtempSync(join(tmpdir(), 'tessera-desktop-shared-'))

beforeAll(async () => {
  await buildWhenStale(() => undefined)
  shared = await startStandIn(builtMain, sharedDirectory)
}, 180_000)

afterAll(async () => {
  shared.kill()
  await shared.ended
  rmSync(sharedDirectory, { recursive: true })
})

beforeEach(() => {
  dataDirectory = mkdtempSync(join(tmpdir(), 'tessera-desktop-'))
})

afterEach(async () => {
  for (const host of running.splice(0)) {
    host.kill()
    await host.ended
  }
  rmSync(dataDirectory, { recursive: true })
})

async function start(settings: Parameters<typeof startStandIn>[2] = {}): Promise<StandInProcess> {
  const host = await startStandIn(builtMain, dataDirectory, settings)
  running.push(host)
  return host
}

const invoke = (
  host: StandInProcess,
  channel: unknown,
  input: unknown,
  frame: unknown = ownFrame,
) =>
  host.play(
    (electron, { name, value, senderFrame }) =>
      electron.invokeMain('tessera:invoke', { senderFrame }, name, value) as Reply,
    { name: channel, value: input, senderFrame: frame },
  )

const fetchApp = (host: StandInProcess, url: string, method = 'GET') =>
  host.play((electron, request) => electron.fetchFrom('app', request.url, request.method), {
    url,
    method,
  })

const firstWindow = (host: StandInProcess) =>
  host.play(({ BrowserWindow }) => {
    const [window] = BrowserWindow.getAllWindows()
    return {
      options: window?.options ?? {},
      loaded: window?.loaded ?? [],
      calls: window?.calls ?? [],
      isVisible: window?.isVisible(),
      isMaximized: window?.isMaximized(),
    }
  })

describe('the window', () => {
  test('shows the app page, sandboxed and isolated from Node', async () => {
    const { options, loaded, isVisible } = await firstWindow(await start())
    expect(loaded).toEqual(['app://tessera/index.html'])
    expect(options.webPreferences).toMatchObject({
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      webSecurity: true,
      webviewTag: false,
      preload: join(projectRoot, 'out', 'preload', 'index.cjs'),
    })
    expect(isVisible).toBe(true)
  })

  test('comes back where it was, within the screens that are there now', async () => {
    mkdirSync(join(dataDirectory, 'desktop'))
    const kept = { x: 5000, y: 40, width: 3000, height: 800, isMaximized: true }
    writeFileSync(join(dataDirectory, 'desktop', 'window-state.json'), JSON.stringify(kept))
    const screens = [{ x: 0, y: 25, width: 1600, height: 875 }]
    const { options, isMaximized } = await firstWindow(await start({ screens }))
    expect(options).toMatchObject({ x: 0, y: 62, width: 1600, height: 800 })
    expect(isMaximized).toBe(true)
  })

  test('keeps its place when it is closed', async () => {
    const host = await start()
    await host.play(({ BrowserWindow }) => {
      BrowserWindow.getAllWindows()[0]?.emit('close', {})
    })
    const kept: unknown = JSON.parse(
      readFileSync(join(dataDirectory, 'desktop', 'window-state.json'), 'utf8'),
    )
    expect(kept).toEqual({ x: 240, y: 90, width: 1440, height: 900, isMaximized: false })
  })

  test('has the menus that people expect', async () => {
    const host = await start()
    const menu = await host.play(({ recorded }) => recorded.menu as { role?: string }[])
    expect(menu.map(({ role }) => role)).toEqual(
      expect.arrayContaining(['fileMenu', 'editMenu', 'windowMenu']),
    )
  })
})

describe('one instance', () => {
  test('a second start brings the first window to the front', async () => {
    const host = await start()
    await host.play(({ app }) => app.emit('second-instance'))
    expect((await firstWindow(host)).calls).toEqual(['restore', 'focus'])
  })

  test('without the lock it ends at once, with neither window nor history', async () => {
    const host = await startStandIn(builtMain, dataDirectory, { hasLock: false })
    running.push(host)
    expect(await host.ended).toBe(0)
    expect(existsSync(join(dataDirectory, 'tessera.db'))).toBe(false)
  })
})

describe('the app: scheme', () => {
  test('is declared standard and secure', async () => {
    expect(await shared.play(({ recorded }) => recorded.schemes)).toEqual([
      { scheme: 'app', privileges: { standard: true, secure: true, supportFetchAPI: true } },
    ])
  })

  test('serves the page with a policy that allows no inline and no evaluated script', async () => {
    const { status, headers, body } = await fetchApp(shared, 'app://tessera/index.html')
    expect(status).toBe(200)
    expect(body).toContain('<div id="app">')
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    expect(headers['content-security-policy']).toContain("default-src 'none'; script-src 'self';")
    expect(headers['content-security-policy']).not.toContain('unsafe-eval')
  })

  test.each([
    'app://tessera/..%2f..%2fpackage.json',
    'app://tessera/%2e%2e/%2e%2e/package.json',
    'app://tessera/../main/index.js',
    'app://other/index.html',
    'app://tessera/missing.js',
  ])('%s is not found', async url => {
    expect((await fetchApp(shared, url)).status).toBe(404)
  })

  test('answers GET only', async () => {
    expect((await fetchApp(shared, 'app://tessera/index.html', 'POST')).status).toBe(404)
  })
})

describe('pages are confined', () => {
  const navigate = (host: StandInProcess, url: string) =>
    host.play(({ BrowserWindow, recorded }, target) => {
      recorded.openedExternally.length = 0
      const contents = BrowserWindow.getAllWindows()[0]?.webContents
      return {
        stayed: contents?.navigate('will-navigate', target),
        frameStayed: contents?.navigate('will-frame-navigate', target),
        opened: contents?.open(target),
        openedExternally: recorded.openedExternally,
      }
    }, url)

  test.each(['http://example.com/', 'file:///etc/passwd', 'javascript:alert(1)', 'app://other/'])(
    '%s is neither visited nor opened',
    async url => {
      expect(await navigate(shared, url)).toEqual({
        stayed: true,
        frameStayed: true,
        opened: { action: 'deny' },
        openedExternally: [],
      })
    },
  )

  test('a link to the web opens in the system browser', async () => {
    const url = 'https://arxiv.org/abs/2505.18824'
    const { stayed, opened, openedExternally } = await navigate(shared, url)
    expect([stayed, opened]).toEqual([true, { action: 'deny' }])
    expect(openedExternally).toEqual([url, url])
  })

  test('a link with a password in it does not', async () => {
    const { openedExternally } = await navigate(shared, 'https://user:word@example.com/')
    expect(openedExternally).toEqual([])
  })

  test('no webview can be attached', async () => {
    const isPrevented = await shared.play(({ BrowserWindow }) => {
      const event = {
        isPrevented: false,
        preventDefault() {
          event.isPrevented = true
        },
      }
      BrowserWindow.getAllWindows()[0]?.webContents.emit('will-attach-webview', event)
      return event.isPrevented
    })
    expect(isPrevented).toBe(true)
  })

  test('every permission is denied', async () => {
    const answers = await shared.play(({ recorded }) => {
      type Ask = (...args: unknown[]) => unknown
      const { request, check, device } = recorded.permissionHandlers as Record<string, Ask>
      let granted: unknown
      request?.(null, 'media', (answer: unknown) => {
        granted = answer
      })
      return [granted, check?.(null, 'clipboard-read'), device?.({})]
    })
    expect(answers).toEqual([false, false, false])
  })
})

describe('requests of the page', () => {
  test('are answered by the core', async () => {
    const reply = await invoke(shared, 'app:info', null)
    expect(reply).toMatchObject({
      ok: true,
      value: { host: 'desktop', dataDirectory: sharedDirectory, storage: { kind: 'ready' } },
    })
  })

  test.each([
    ['of another site', { url: 'https://evil.example/', parent: null }],
    ['of another host of the scheme', { url: 'app://other/index.html', parent: null }],
    ['within the page', { url: 'app://tessera/index.html', parent: { url: 'app://tessera/' } }],
    ['that has gone', null],
  ])('from a frame %s are refused', async (_, frame) => {
    expect(await invoke(shared, 'app:info', null, frame)).toMatchObject({
      ok: false,
      code: 'bad-input',
    })
  })

  test.each([
    ['app:nothing', null, 'app:nothing'],
    [7, null, 'must be a string'],
    ['experiment:get', { id: 'x' }, 'id: must be'],
    ['experiment:get', { id: 1, extra: true }, 'unknown key "extra"'],
  ])('%s with %j is bad input', async (channel, input, message) => {
    const reply = await invoke(shared, channel, input)
    expect(reply).toMatchObject({ ok: false, code: 'bad-input' })
    expect(reply.ok ? '' : reply.message).toContain(message)
  })
})

const spec = {
  name: 'first',
  chip: chipPresets[1]?.config,
  workload: workloadPresets[0]?.config,
  mapping: {},
  dataflows: ['fa3'],
}

/** Runs the experiment with id 1 to its end. */
async function runFirst(host: StandInProcess): Promise<void> {
  const started = await invoke(host, 'experiment:start', { spec, again: false })
  expect(started).toMatchObject({ ok: true, value: { experimentId: 1, reused: false } })
  await expect
    .poll(() => invoke(host, 'experiment:get', { id: 1 }), { timeout: 30_000 })
    .toMatchObject({ value: { runs: [{ status: 'done' }] } })
}

describe('a run', { timeout: 40_000 }, () => {
  test('goes through a utility process, tells the page, and is kept', async () => {
    const host = await start()
    await runFirst(host)
    const workers = await host.play(({ recorded }) => recorded.utilityProcesses)
    expect(workers).toHaveLength(1)
    expect(workers[0]?.modulePath).toBe(join(projectRoot, 'out', 'main', 'worker.js'))
    const sent = await host.play(
      ({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.sent ?? [],
    )
    expect(sent).toContainEqual(['tessera:event', 'job:event', { kind: 'done', runId: 1 }])
  })

  test('shutting down stops its worker and closes the history', async () => {
    const host = await start()
    await invoke(host, 'experiment:start', { spec, again: false })
    const [worker] = await host.play(({ recorded }) => recorded.utilityProcesses)
    await host.play(({ app }) => {
      setImmediate(() => {
        app.quit()
      })
    })
    expect(await host.ended).toBe(0)
    expect(() => process.kill(worker?.pid ?? 0, 0)).toThrow('ESRCH')
    expect(existsSync(join(dataDirectory, 'tessera.db-wal'))).toBe(false)
  })

  test('closing the last window shuts down', async () => {
    const host = await start()
    await host.play(({ BrowserWindow }) => {
      setImmediate(() => {
        BrowserWindow.getAllWindows()[0]?.close()
      })
    })
    expect(await host.ended).toBe(0)
  })
})

describe('the report', { timeout: 40_000 }, () => {
  const experimentIds = [1]

  test('is printed to the chosen file', async () => {
    const saveTo = join(dataDirectory, 'report.pdf')
    const host = await start({ saveTo })
    await runFirst(host)
    const reply = await invoke(host, 'report:export', { experimentIds })
    expect(reply).toEqual({ ok: true, value: { kind: 'saved', path: saveTo } })
    expect(readFileSync(saveTo, 'utf8')).toContain('"pageSize":"A4"')
  })

  test('is not printed where the dialog is cancelled', async () => {
    const host = await start()
    await runFirst(host)
    const reply = await invoke(host, 'report:export', { experimentIds })
    expect(reply).toEqual({ ok: true, value: { kind: 'cancelled' } })
  })

  test('that cannot be drawn leaves no file behind, and no hidden window', async () => {
    const saveTo = join(dataDirectory, 'report.pdf')
    const host = await start({
      saveTo,
      reportState: { ready: 'failed', message: 'experiment 1 does not exist' },
    })
    await runFirst(host)
    const reply = await invoke(host, 'report:export', { experimentIds })
    expect(reply).toMatchObject({ ok: false, message: 'experiment 1 does not exist' })
    expect(existsSync(saveTo)).toBe(false)
    expect(await host.play(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1)
  })
})
