/**
 * Sums over time for many lines (links, channels) in a fixed number of bins. When time runs over
 * the end, neighbouring bins are merged and their width doubles, so memory stays bounded.
 */
export class TimeBins {
  readonly lines: number
  readonly bins: number
  /** Width of a bin, cycles. */
  width: number
  private readonly sums: Float64Array
  private last = 0
  /** Exact, since widths are powers of two. */
  private perBin: number

  constructor(lines: number, bins = 128, width = 64) {
    this.lines = lines
    this.bins = bins
    this.width = width
    this.perBin = 1 / width
    this.sums = new Float64Array(lines * bins)
  }

  add(line: number, time: number, amount: number): void {
    while (time >= this.width * this.bins) this.merge()
    const bin = Math.floor(time * this.perBin)
    if (bin > this.last) this.last = bin
    const index = line * this.bins + bin
    this.sums[index] = (this.sums[index] ?? 0) + amount
  }

  /** Spreads an interval of time over the bins that it covers: each gets the cycles inside of it. */
  addInterval(line: number, start: number, end: number): void {
    if (end <= start) return
    while (end > this.width * this.bins) this.merge()
    const { width } = this
    let from = start
    for (let bin = Math.floor(start * this.perBin); from < end; bin++) {
      const to = Math.min(end, (bin + 1) * width)
      const index = line * this.bins + bin
      this.sums[index] = (this.sums[index] ?? 0) + to - from
      if (bin > this.last) this.last = bin
      from = to
    }
  }

  /** Makes one line the same as another. */
  copyLine(from: number, to: number): void {
    const { bins } = this
    this.sums.copyWithin(to * bins, from * bins, (from + 1) * bins)
  }

  /** When the last bin ends that any line has used, cycles. */
  get end(): number {
    return (this.last + 1) * this.width
  }

  /**
   * Bins of a line as they are wanted: `count` of them, each as wide as one or several of its own.
   * They are rounded to whole numbers so that they add up to the rounded total.
   *
   * @param width a power of two times the width of its own bins
   */
  rounded(line: number, width: number, count: number): number[] {
    const merged = width / this.width
    let sum = 0
    let before = 0
    return Array.from({ length: count }, (_, index) => {
      const first = index * merged
      const end = Math.min(this.bins, first + merged)
      for (let bin = first; bin < end; bin++) sum += this.sums[line * this.bins + bin] ?? 0
      const value = Math.round(sum) - before
      before += value
      return value
    })
  }

  /** Bins of a line up to the last one that any line has used. */
  series(line: number): number[] {
    return [...this.sums.subarray(line * this.bins, line * this.bins + this.last + 1)]
  }

  total(line: number): number {
    let sum = 0
    for (const value of this.series(line)) sum += value
    return sum
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
