/** Lines that a DMA sends at once; the arrays are used again for every burst. */
export class Burst {
  count = 0
  /** Cycles of channels that all lines take together. */
  service = 0
  done = 0
  injected = 0
  readonly addresses: Float64Array
  readonly sizes: Float64Array
  readonly issued: Float64Array
  readonly back: Float64Array
  /** Which channel of its set each line is on; only where they are behind several edges. */
  readonly positions: Int32Array

  constructor(capacity: number) {
    this.addresses = new Float64Array(capacity)
    this.sizes = new Float64Array(capacity)
    this.issued = new Float64Array(capacity)
    this.back = new Float64Array(capacity)
    this.positions = new Int32Array(capacity)
  }
}
