/** The part of time that is shown, in cycles. */
export interface TimeWindow {
  readonly from: number
  readonly to: number
}

/** The shortest part that can be shown. */
const SHORTEST = 20

/** Moves a window into the run, as long as it is. */
function within({ from, to }: TimeWindow, end: number): TimeWindow {
  const length = Math.min(end, Math.max(SHORTEST, to - from))
  const start = Math.max(0, Math.min(end - length, from))
  return { from: start, to: start + length }
}

/** Zooms by a factor, above 1 closer, around a moment that stays where it is. */
export function zoomed(
  { from, to }: TimeWindow,
  factor: number,
  moment: number,
  end: number,
): TimeWindow {
  const length = Math.min(end, Math.max(SHORTEST, (to - from) / factor))
  const start = moment - ((moment - from) / (to - from)) * length
  return within({ from: start, to: start + length }, end)
}

/** Moves by a share of what is shown. */
export function panned(window: TimeWindow, share: number, end: number): TimeWindow {
  const by = (window.to - window.from) * share
  return within({ from: window.from + by, to: window.to + by }, end)
}

/** Round moments for an axis, some `count` of them. */
export function ticksOf({ from, to }: TimeWindow, count: number): number[] {
  const rough = (to - from) / Math.max(1, count)
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = ([1, 2, 5].find(factor => factor * power >= rough) ?? 10) * power
  const ticks: number[] = []
  for (let tick = Math.ceil(from / step) * step; tick <= to; tick += step) ticks.push(tick)
  return ticks
}
