/**
 * What links, channels and tiles did over time, of the part that was simulated: enough for a map of
 * the mesh with a slider for the time.
 *
 * Every series has `bins` values, for intervals of `binCycles` cycles from the start, and adds up to
 * the total of the event report, rounded to a whole number.
 */
export interface EventActivity {
  readonly binCycles: number
  readonly bins: number
  readonly links: {
    /** Bytes of each directed link, in the order of the links of the event report. */
    readonly bytes: Series
  }
  /** Bytes of each channel, in the order of the channels of the event report. */
  readonly channels: {
    readonly read: Series
    readonly written: Series
  }
  /**
   * Busy cycles of each tile, row by row from the south-west corner. Transfers of one tile may
   * overlap, so that its DMA can be busy for more than `binCycles` in an interval.
   */
  readonly tiles: {
    readonly matrix: Series
    readonly vector: Series
    readonly dma: Series
  }
}

/** The values of each link, channel or tile over time. */
type Series = readonly (readonly number[])[]
