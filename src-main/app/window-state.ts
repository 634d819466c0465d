import { readFileSync, writeFileSync } from 'node:fs'
import { z } from '#shared/schema/zod.ts'

const edge = z.int().min(-100_000).max(100_000)
const length = z.int().min(1).max(100_000)
const windowStateSchema = z.strictObject({
  x: edge,
  y: edge,
  width: length,
  height: length,
  isMaximized: z.boolean(),
})

/** Where a window was, in the coordinates of all screens together. */
export type WindowState = z.infer<typeof windowStateSchema>

export interface Area {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export const minimumSize = { width: 960, height: 600 } as const
const usualSize = { width: 1440, height: 900 } as const

/** Of a window, at least so much must be on a screen to be got hold of. */
const graspable = { width: 200, height: 100 } as const

/** @returns undefined where nothing was kept, or it cannot be read */
export function loadWindowState(path: string): WindowState | undefined {
  try {
    return windowStateSchema.parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch {
    return undefined
  }
}

/** Keeps the state; a failure is of no importance. */
export function saveWindowState(path: string, state: WindowState): void {
  try {
    writeFileSync(path, JSON.stringify(windowStateSchema.parse(state)))
  } catch {
    // The next start centres the window.
  }
}

/**
 * A state that fits the screens of now: no larger than its screen, wholly on it; in the middle of
 * the first screen if it was on one that has gone.
 *
 * @param workAreas the usable part of each screen, the primary one first
 */
export function clampWindowState(
  state: WindowState | undefined,
  workAreas: readonly Area[],
): WindowState {
  const primary = workAreas[0] ?? { x: 0, y: 0, ...usualSize }
  const screen = state && workAreas.find(area => isGraspable(state, area))
  if (state === undefined || screen === undefined) {
    const size = fitted(state ?? usualSize, primary)
    return {
      x: primary.x + Math.floor((primary.width - size.width) / 2),
      y: primary.y + Math.floor((primary.height - size.height) / 2),
      ...size,
      isMaximized: state?.isMaximized ?? false,
    }
  }
  const size = fitted(state, screen)
  return {
    x: clamp(state.x, screen.x, screen.x + screen.width - size.width),
    y: clamp(state.y, screen.y, screen.y + screen.height - size.height),
    ...size,
    isMaximized: state.isMaximized,
  }
}

function isGraspable(state: WindowState, area: Area): boolean {
  const width = overlap(state.x, state.width, area.x, area.width)
  const height = overlap(state.y, state.height, area.y, area.height)
  return width >= graspable.width && height >= graspable.height
}

const overlap = (startA: number, lengthA: number, startB: number, lengthB: number): number =>
  Math.min(startA + lengthA, startB + lengthB) - Math.max(startA, startB)

const fitted = (size: Pick<Area, 'width' | 'height'>, area: Area) => ({
  width: Math.min(Math.max(size.width, minimumSize.width), area.width),
  height: Math.min(Math.max(size.height, minimumSize.height), area.height),
})

const clamp = (value: number, low: number, high: number): number =>
  Math.max(low, Math.min(value, high))
