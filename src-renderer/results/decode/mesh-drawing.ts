import type { LinkLoad } from '#shared/results/communication-result.ts'

/** One direction of a link, from the edge of one chip to that of the next. */
export interface DrawnLink {
  readonly id: string
  readonly x1: number
  readonly y1: number
  readonly x2: number
  readonly y2: number
  readonly bytes: number
  /** Of the busiest link, from 0 to 1. */
  readonly load: number
}

export const CELL = 60
export const CHIP = 34
/** Half the distance between the two directions of a link. */
const APART = 4

export const chipCentre = (chip: number, columns: number): { x: number; y: number } => ({
  x: (chip % columns) * CELL + CELL / 2,
  y: Math.floor(chip / columns) * CELL + CELL / 2,
})

/**
 * The links between neighbours, each direction to the right of its way, with the bytes of a dispatch
 * and a combine. Links that pass over other chips or lead to a switch are left out.
 */
export function drawnLinks(links: readonly LinkLoad[], columns: number): DrawnLink[] {
  const most = Math.max(0, ...links.map(bytesOf))
  return links.flatMap(link => {
    const { from, to } = link
    if (from === 'switch' || to === 'switch') return []
    const start = chipCentre(from, columns)
    const end = chipCentre(to, columns)
    const along = { x: Math.sign(end.x - start.x), y: Math.sign(end.y - start.y) }
    if (Math.abs(end.x - start.x) + Math.abs(end.y - start.y) !== CELL) return []
    const side = { x: -along.y * APART, y: along.x * APART }
    const bytes = bytesOf(link)
    return [
      {
        id: `${String(from)}-${String(to)}`,
        x1: start.x + (along.x * CHIP) / 2 + side.x,
        y1: start.y + (along.y * CHIP) / 2 + side.y,
        x2: end.x - (along.x * CHIP) / 2 + side.x,
        y2: end.y - (along.y * CHIP) / 2 + side.y,
        bytes,
        load: most === 0 ? 0 : bytes / most,
      },
    ]
  })
}

export const bytesOf = ({ dispatchBytes, combineBytes }: LinkLoad): number =>
  dispatchBytes + combineBytes

/** From pale yellow over orange to dark purple: its lightness alone tells the load. */
const ramp = ['#fde0a3', '#fdb863', '#ee7b51', '#c7406c', '#86218b', '#4a1486'] as const

/** Colours of rising load: away from the background, so turned round on a dark one. */
export const loadColors = (isDark: boolean): readonly string[] =>
  isDark ? ramp.toReversed() : ramp

export function loadColor(load: number, isDark: boolean): string {
  const colors = loadColors(isDark)
  return colors[Math.min(colors.length - 1, Math.floor(load * colors.length))] ?? ramp[0]
}
