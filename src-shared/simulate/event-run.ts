import type { TimelineOperation } from '#shared/results/event-report.ts'

/** What is wanted of a run of the event engine besides its result; the phase engine has none of it. */
export interface EventWatch {
  /** Tiles whose operations are kept, by their index row by row; none where left out. */
  readonly timelineTiles?: readonly number[]
  /** Whether the report has every link, channel and tile over time. */
  readonly activity?: boolean
}

/** A run, and the operations of the tiles that were watched. */
export interface EventRun<Document> {
  readonly document: Document
  readonly timeline: readonly TimelineOperation[]
}
