/**
 * Sums over time for many lines (links, channels) in a fixed number of bins. When time runs over
 * the end, neighbouring bins are merged and their width doubles, so memory stays bounded.
 */
export class TimeBins {
  readonly lines: number
  readonly bins: number
  /** Width of a bin, cycles. */
  width: number
  private readonly sums: Float32Array
  private readonly totals: Float64Array
  private last = 0
  /** Exact, since widths are powers of two. */
  private perBin: number

  constructor(lines: number, bins = 128, width = 64) {
    this.lines = lines
    this.bins = bins
    this.width = width
    this.perBin = 1 / width
    this.sums = new Float32Array(lines * bins)
    this.totals = new Float64Array(lines)
  }

  add(line: number, time: number, amount: number): void {
    while (time >= this.width * this.bins) this.merge()
    const bin = Math.floor(time * this.perBin)
    if (bin > this.last) this.last = bin
    this.totals[line] = (this.totals[line] ?? 0) + amount
    const index = line * this.bins + bin
    this.sums[index] = (this.sums[index] ?? 0) + amount
  }

  /** Bins of a line up to the last one that any line has used. */
  series(line: number): number[] {
    return [...this.sums.subarray(line * this.bins, line * this.bins + this.last + 1)]
  }

  total(line: number): number {
    return this.totals[line] ?? 0
  }

  /** Merges bins until they are at least as wide. */
  widenTo(width: number): void {
    while (this.width < width) this.merge()
  }

  private merge(): void {
    const { sums, bins } = this
    for (let line = 0; line < this.lines; line++) {
      const start = line * bins
      for (let bin = 0; bin < bins / 2; bin++) {
        sums[start + bin] = (sums[start + 2 * bin] ?? 0) + (sums[start + 2 * bin + 1] ?? 0)
      }
      sums.fill(0, start + bins / 2, start + bins)
    }
    this.width *= 2
    this.perBin /= 2
    this.last >>= 1
  }
}
