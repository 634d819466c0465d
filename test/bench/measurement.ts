/** One line of the benchmark. */
export type Measurement =
  | {
      readonly kind: 'measured'
      readonly id: string
      readonly title: string
      readonly value: number
      readonly unit: string
      /** What the value should not exceed; in the same unit. */
      readonly target?: number
    }
  | {
      readonly kind: 'left-out'
      readonly id: string
      readonly title: string
      readonly reason: string
    }

/** Milliseconds of one call: the median of many, after as many to warm up. */
export function medianMs(repetitions: number, call: () => void): number {
  for (let repetition = 0; repetition < repetitions; repetition++) call()
  const times = Array.from({ length: repetitions }, () => elapsedMs(call))
  return times.toSorted((a, b) => a - b)[Math.floor(repetitions / 2)] ?? Number.NaN
}

/** Milliseconds that a call takes. */
export function elapsedMs(call: () => void): number {
  const start = performance.now()
  call()
  return performance.now() - start
}
