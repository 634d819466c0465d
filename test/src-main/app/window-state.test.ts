import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { clampWindowState, loadWindowState, saveWindowState } from '#main/app/window-state.ts'

const laptop = { x: 0, y: 25, width: 1440, height: 875 }
const monitor = { x: 1440, y: 0, width: 2560, height: 1440 }
const state = { x: 100, y: 100, width: 1200, height: 700, isMaximized: false }

describe('clampWindowState', () => {
  test('leaves a window that fits alone', () => {
    expect(clampWindowState(state, [laptop, monitor])).toEqual(state)
    const onMonitor = { ...state, x: 2000, y: 300 }
    expect(clampWindowState(onMonitor, [laptop, monitor])).toEqual(onMonitor)
  })

  test('centres the first window on the primary screen', () => {
    expect(clampWindowState(undefined, [monitor])).toEqual({
      x: 1440 + 560,
      y: 270,
      width: 1440,
      height: 900,
      isMaximized: false,
    })
  })

  test('brings a window back from a screen that has gone', () => {
    expect(clampWindowState({ ...state, x: 3000 }, [laptop])).toMatchObject({ x: 120, y: 112 })
  })

  test('moves a window wholly onto its screen', () => {
    expect(clampWindowState({ ...state, x: -500, y: 600 }, [laptop])).toMatchObject({
      x: 0,
      y: 200,
    })
  })

  test('shrinks a window that is larger than its screen', () => {
    const huge = { ...state, width: 9000, height: 9000 }
    expect(clampWindowState(huge, [laptop])).toMatchObject(laptop)
  })

  test('always ends up on a screen', () => {
    const number = fc.integer({ min: -20_000, max: 20_000 })
    const size = fc.integer({ min: 1, max: 20_000 })
    const anyState = fc.record({
      x: number,
      y: number,
      width: size,
      height: size,
      isMaximized: fc.boolean(),
    })
    const screens = [laptop, monitor]
    const isOnScreen = ({ x, y, width, height }: typeof state) =>
      screens.some(
        area =>
          x >= area.x &&
          y >= area.y &&
          x + width <= area.x + area.width &&
          y + height <= area.y + area.height,
      )
    fc.assert(
      fc.property(anyState, any => {
        expect(clampWindowState(any, screens)).toSatisfy(isOnScreen)
      }),
    )
  })
})

describe('the file of the window state', () => {
  test.each(['', '{', '{"x":1}', '{"x":1e999,"y":0,"width":1,"height":1,"isMaximized":false}'])(
    'that holds %j is ignored',
    text => {
      const directory = mkdtempSync(join(tmpdir(), 'tessera-window-'))
      const path = join(directory, 'window-state.json')
      writeFileSync(path, text)
      expect(loadWindowState(path)).toBeUndefined()
      saveWindowState(path, state)
      expect(loadWindowState(path)).toEqual(state)
      rmSync(directory, { recursive: true })
    },
  )

  test('that cannot be written is no reason to fail', () => {
    expect(() => {
      saveWindowState('/nowhere/at/all/state.json', state)
    }).not.toThrow()
  })
})
