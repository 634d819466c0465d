import type { Block } from '#shared/models/event/check/block-arithmetic.ts'

/** A buffer in L1 that knows whether its contents may be used. */
export class CheckedBuffer {
  readonly name: string
  /** NaN from the moment at which somebody begins to write until he has ended. */
  values: Block
  /** Goes up with every change. */
  version = 0
  isValid = false

  constructor(name: string, length: number) {
    this.name = name
    this.values = new Float64Array(length).fill(NaN)
  }

  /** Somebody has begun to write. */
  invalidate(): void {
    this.version++
    this.isValid = false
    this.values.fill(NaN)
  }

  /** The contents to be changed in place; until they are put back, there are none. */
  take(): Block {
    const taken = this.values
    this.values = new Float64Array(taken.length)
    this.invalidate()
    return taken
  }

  put(values: Block): void {
    this.values = values
    this.version++
    this.isValid = true
  }
}
