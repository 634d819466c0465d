import { componentColors } from '#renderer/charts/theme.ts'
import { columnsOf, firstEndingAfter, type Lane } from '#renderer/charts/timeline/lane.ts'
import { ticksOf, type TimeWindow } from '#renderer/charts/timeline/time-window.ts'
import { formatNumber } from '#shared/units/format.ts'

/** Sizes in pixels. */
export const LANE_HEIGHT = 22
export const AXIS_HEIGHT = 22
export const LABEL_WIDTH = 150

const colors: Readonly<Record<string, string>> = componentColors
const LABEL_FITS = 34

/** Operations up to which each is drawn by itself: two for each column of pixels. */
const singleOperations = (width: number) => 2 * width

/** Draws lanes under each other, and the axis below them. */
export function paintTimeline(
  context: CanvasRenderingContext2D,
  lanes: readonly { readonly lane: Lane; readonly title: string }[],
  window: TimeWindow,
  width: number,
  text: string,
): void {
  const right = Math.max(1, Math.floor(width - LABEL_WIDTH))
  const scale = right / (window.to - window.from)
  context.font = '11px system-ui, sans-serif'
  context.textBaseline = 'middle'
  lanes.forEach(({ lane, title }, index) => {
    const top = index * LANE_HEIGHT
    context.fillStyle = text
    context.fillText(title, 0, top + LANE_HEIGHT / 2, LABEL_WIDTH - 8)
    const from = firstEndingAfter(lane, window.from)
    const to = firstEndingAfter(lane, window.to)
    if (to - from > singleOperations(right)) paintColumns(context, lane, window, right, top)
    else paintOperations(context, lane, window, { from, to, right, top, scale })
  })
  const bottom = lanes.length * LANE_HEIGHT
  context.fillStyle = text
  for (const tick of ticksOf(window, right / 110)) {
    const x = LABEL_WIDTH + (tick - window.from) * scale
    context.fillRect(x, bottom, 1, 4)
    context.fillText(formatNumber(tick, 6), x + 3, bottom + 12)
  }
}

function paintColumns(
  context: CanvasRenderingContext2D,
  lane: Lane,
  window: TimeWindow,
  right: number,
  top: number,
): void {
  const cycles = (window.to - window.from) / right
  columnsOf(lane, window.from, window.to, right).forEach(({ busyCycles, component }, column) => {
    const high = (LANE_HEIGHT - 4) * Math.min(1, busyCycles / cycles)
    context.fillStyle = colors[component] ?? '#8c959f'
    context.fillRect(LABEL_WIDTH + column, top + LANE_HEIGHT - 2 - high, 1, high)
  })
}

function paintOperations(
  context: CanvasRenderingContext2D,
  lane: Lane,
  window: TimeWindow,
  part: {
    readonly from: number
    readonly to: number
    readonly right: number
    readonly top: number
    readonly scale: number
  },
): void {
  for (const { start, end, name, component } of lane.operations.slice(part.from, part.to + 1)) {
    if (start > window.to) continue
    const x = Math.max(0, (start - window.from) * part.scale)
    const wide = Math.min(part.right, (end - window.from) * part.scale) - x
    context.fillStyle = colors[component] ?? '#8c959f'
    context.fillRect(LABEL_WIDTH + x, part.top + 2, Math.max(0.7, wide - 0.5), LANE_HEIGHT - 4)
    if (wide < LABEL_FITS) continue
    context.save()
    context.beginPath()
    context.rect(LABEL_WIDTH + x, part.top, wide - 2, LANE_HEIGHT)
    context.clip()
    context.fillStyle = component === 'matrix' ? '#fff' : '#000'
    context.fillText(name, LABEL_WIDTH + x + 4, part.top + LANE_HEIGHT / 2)
    context.restore()
  }
}
