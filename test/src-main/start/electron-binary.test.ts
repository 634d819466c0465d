import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { electronExecutable, fetchElectron } from '#main/start/electron-binary.ts'

let electronDirectory: string
beforeEach(() => {
  electronDirectory = mkdtempSync(join(tmpdir(), 'tessera-electron-package-'))
})
afterEach(() => {
  rmSync(electronDirectory, { recursive: true })
})

const writeInstaller = (script: string) => {
  writeFileSync(join(electronDirectory, 'install.js'), script)
}
const installs = `const fs = require('node:fs')
  fs.mkdirSync(__dirname + '/dist', { recursive: true })
  fs.writeFileSync(__dirname + '/dist/electron', '')
  fs.writeFileSync(__dirname + '/path.txt', 'electron')`

describe('electronExecutable', () => {
  test('is undefined until both the note and the file are there', () => {
    expect(electronExecutable(electronDirectory)).toBeUndefined()
    writeFileSync(join(electronDirectory, 'path.txt'), 'electron')
    expect(electronExecutable(electronDirectory)).toBeUndefined()
    mkdirSync(join(electronDirectory, 'dist'))
    writeFileSync(join(electronDirectory, 'dist', 'electron'), '')
    expect(electronExecutable(electronDirectory)).toBe(join(electronDirectory, 'dist', 'electron'))
  })
})

describe('fetchElectron', () => {
  test('runs the installer of the package', async () => {
    writeInstaller(installs)
    expect(await fetchElectron({ electronDirectory })).toBe(
      join(electronDirectory, 'dist', 'electron'),
    )
  })

  test('gives the cause of a failed download in one line', async () => {
    writeInstaller(`console.error('TypeError: fetch failed\\n  [cause]: Error: getaddrinfo ENOTFOUND github.com')
      process.exit(1)`)
    await expect(fetchElectron({ electronDirectory })).rejects.toThrow(
      'the Electron binary could not be fetched (getaddrinfo ENOTFOUND github.com)',
    )
  })

  test('says what may help where the cause is not told', async () => {
    writeInstaller("console.error('TypeError: fetch failed'); process.exit(1)")
    await expect(fetchElectron({ electronDirectory })).rejects.toThrow(
      'could not be fetched (its server cannot be reached; ELECTRON_MIRROR may name another)',
    )
  })

  test('gives up when nothing arrives any more', async () => {
    writeInstaller('setInterval(() => {}, 1000)')
    const fetched = fetchElectron({ electronDirectory, patienceMs: 300, pollMs: 50 })
    await expect(fetched).rejects.toThrow('could not be fetched (no data for 0.3 s)')
  })

  test('is patient as long as something arrives', async () => {
    writeInstaller(`let left = 12
      const timer = setInterval(() => {
        require('node:fs').appendFileSync(process.env.TMPDIR + '/part', 'x'.repeat(1000))
        if (left-- > 0) return
        clearInterval(timer)
        ${installs}
      }, 200)`)
    const fetched = fetchElectron({ electronDirectory, patienceMs: 1500, pollMs: 50 })
    expect(await fetched).toContain('electron')
  }, 20_000)
})
