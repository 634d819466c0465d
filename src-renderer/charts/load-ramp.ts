/** From pale yellow over orange to dark purple: its lightness alone tells the load. */
const ramp = [
  [253, 231, 180],
  [253, 184, 99],
  [238, 123, 81],
  [199, 64, 108],
  [134, 33, 139],
  [58, 15, 110],
] as const

/** Steps of the ramp: finer than an eye tells apart. */
export const RAMP_STEPS = 32

/** Colours of rising load: away from the background, so turned round on a dark one. */
export function rampColors(isDark: boolean): readonly string[] {
  const colors = Array.from({ length: RAMP_STEPS }, (_, step) => {
    const at = (step / (RAMP_STEPS - 1)) * (ramp.length - 1)
    const from = ramp[Math.floor(at)] ?? ramp[0]
    const to = ramp[Math.min(ramp.length - 1, Math.floor(at) + 1)] ?? ramp[0]
    const part = at - Math.floor(at)
    const [red, green, blue] = [0, 1, 2].map(channel =>
      Math.round((from[channel] ?? 0) * (1 - part) + (to[channel] ?? 0) * part),
    )
    return `rgb(${String(red)}, ${String(green)}, ${String(blue)})`
  })
  return isDark ? colors.toReversed() : colors
}

/** The step of a load from 0 to 1; what is beyond takes the last. */
export const rampStep = (load: number): number =>
  Math.max(0, Math.min(RAMP_STEPS - 1, Math.floor(load * RAMP_STEPS)))
