import {
  headDimensions,
  queryPositions,
  type AttentionWorkload,
} from '#shared/workload/attention.ts'

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
  const absolute = new Largest()
  const relative = new Largest()
  let rowsNotComputed = 0
  for (let first = 0; first < exact.length; first += headDim) {
    const row = exact.subarray(first, first + headDim)
    const deviations = row.map((value, element) =>
      Math.abs((computed[first + element] ?? NaN) - value),
    )
    const magnitude = row.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0)
    if (!deviations.every(Number.isFinite)) rowsNotComputed++
    deviations.forEach((deviation, element) => {
      if (!Number.isFinite(deviation)) return
      absolute.take(deviation, first + element)
      relative.take(magnitude > 0 ? deviation / magnitude : deviation, first + element)
    })
  }
  return {
    largestAbsolute: absolute.value,
    largestRelative: relative.value,
    absoluteAt: absolute.at,
    relativeAt: relative.at,
    rowsNotComputed,
  }
}

class Largest {
  value = 0
  at: number | undefined

  take(value: number, at: number): void {
    if (this.at !== undefined && value <= this.value) return
    this.value = value
    this.at = at
  }
}

/** Where an element of O is: [sequence][head][position][element]. */
export function placeOf(
  at: number,
  workload: AttentionWorkload,
): { sequence: number; head: number; position: number; element: number } {
  const positions = queryPositions(workload)
  const { value } = headDimensions(workload)
  const row = Math.floor(at / value)
  return {
    sequence: Math.floor(row / (positions * workload.heads)),
    head: Math.floor(row / positions) % workload.heads,
    position: row % positions,
    element: at % value,
  }
}
