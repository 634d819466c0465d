import { queryPositions, type AttentionWorkload } from '#shared/workload/attention.ts'

/** What was stored, beside exact attention. */
export interface Deviation {
  readonly largestAbsolute: number
  readonly largestRelative: number
  /** Elements of O at which the two are the largest; undefined where there is no deviation. */
  readonly absoluteAt: number | undefined
  readonly relativeAt: number | undefined
  /** Rows with something that is no finite number. */
  readonly rowsNotComputed: number
}

/**
 * The largest deviations, absolute, and relative to the largest magnitude in the exact row of O: a
 * single element may be near 0 by chance. A row of zeros (a query without keys) has no magnitude of
 * its own; there the deviation itself counts.
 */
export function compareOutput(
  computed: Float64Array,
  exact: Float64Array,
  headDim: number,
): Deviation {
  let absolute: { value: number; at: number | undefined } = { value: 0, at: undefined }
  let relative = absolute
  let rowsNotComputed = 0
  for (let first = 0; first < exact.length; first += headDim) {
    const row = exact.subarray(first, first + headDim)
    const magnitude = row.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0)
    let isComputed = true
    row.forEach((value, element) => {
      const at = first + element
      const deviation = Math.abs((computed[at] ?? NaN) - value)
      if (!Number.isFinite(deviation)) {
        isComputed = false
        return
      }
      if (absolute.at === undefined || deviation > absolute.value)
        absolute = { value: deviation, at }
      const share = magnitude > 0 ? deviation / magnitude : deviation
      if (relative.at === undefined || share > relative.value) relative = { value: share, at }
    })
    if (!isComputed) rowsNotComputed++
  }
  return {
    largestAbsolute: absolute.value,
    largestRelative: relative.value,
    absoluteAt: absolute.at,
    relativeAt: relative.at,
    rowsNotComputed,
  }
}

/** Where an element of O is: [sequence][head][position][element]. */
export function placeOf(
  at: number,
  workload: AttentionWorkload,
): { sequence: number; head: number; position: number; element: number } {
  const positions = queryPositions(workload)
  const row = Math.floor(at / workload.headDim)
  return {
    sequence: Math.floor(row / (positions * workload.heads)),
    head: Math.floor(row / positions) % workload.heads,
    position: row % positions,
    element: at % workload.headDim,
  }
}
