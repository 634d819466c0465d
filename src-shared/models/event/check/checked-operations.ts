import type { Completion } from '#shared/models/event/attention/attention-data.ts'
import type { Block } from '#shared/models/event/check/block-arithmetic.ts'
import type { CheckedBuffer } from '#shared/models/event/check/checked-buffer.ts'

/** An operation, by the buffers that it touches. */
export interface CheckedOperation {
  readonly name: string
  readonly tile: number
  readonly reads?: readonly CheckedBuffer[]
  /** Changed in place: operand and result. */
  readonly updates?: readonly CheckedBuffer[]
  /** Written as a whole, whatever was in them. */
  readonly writes?: readonly CheckedBuffer[]
  /**
   * Runs at the end.
   *
   * @param results blocks of `updates`, with their contents, and then of `writes`, to be filled
   */
  readonly compute: (results: readonly Block[]) => void
}

/** Two operations that touch a buffer at the same time, or one that comes before its operands. */
export interface Hazard {
  readonly tile: number
  readonly message: string
}

/** Hazards that are kept; the others are counted. */
const KEPT_HAZARDS = 10

/**
 * Carries out operations that last for some time.
 *
 * An operation needs valid operands when it begins, and operands and results that nobody else has
 * touched when it ends. Where that does not hold it is a hazard: its results are NaN, as they would
 * be anything on a chip.
 */
export class CheckedOperations {
  hazardCount = 0
  readonly hazards: Hazard[] = []

  begin({ name, tile, compute, ...buffers }: CheckedOperation): Completion {
    const { reads = [], updates = [], writes = [] } = buffers
    const missing = [...reads, ...updates].filter(buffer => !buffer.isValid)
    for (const buffer of missing) {
      this.report(tile, `${name} began before ${buffer.name} was there`)
    }
    const held = updates.map(buffer => buffer.take())
    for (const buffer of writes) buffer.invalidate()
    const touched = [...reads, ...updates, ...writes]
    const versions = touched.map(buffer => buffer.version)
    return () => {
      const changed = touched.filter((buffer, index) => buffer.version !== versions[index])
      for (const buffer of changed) {
        this.report(tile, `${buffer.name} was written by others during ${name}`)
      }
      const results = [...updates, ...writes]
      if (missing.length + changed.length > 0) {
        for (const buffer of results) buffer.invalidate()
        return
      }
      const blocks = [...held, ...writes.map(({ values }) => values)]
      compute(blocks)
      results.forEach((buffer, index) => {
        buffer.put(blocks[index] ?? buffer.values)
      })
    }
  }

  report(tile: number, message: string): void {
    this.hazardCount++
    if (this.hazards.length < KEPT_HAZARDS) this.hazards.push({ tile, message })
  }
}
