import type { EventActivity } from '#shared/results/event-activity.ts'
import type { EventReport } from '#shared/results/event-report.ts'

export const tileMeasures = ['matrix', 'vector', 'dma', 'idle'] as const
export type TileMeasure = (typeof tileMeasures)[number]

export const tileMeasureLabels: Readonly<Record<TileMeasure, string>> = {
  matrix: 'Matrix engine busy',
  vector: 'Vector engine busy',
  dma: 'DMA busy',
  idle: 'No engine computes (at least)',
}

/** What the drawing of a mesh shows in one interval, or in the whole run. */
export interface MeshValues {
  readonly columns: number
  readonly rows: number
  /** Share of the time, of each tile. */
  readonly tiles: readonly number[]
  /** Bytes for each cycle, of each directed link: five of a tile. */
  readonly links: readonly number[]
  /** Bytes for each cycle, of each channel. */
  readonly channels: readonly number[]
}

/** Largest values of all intervals, so that intervals can be compared. */
export interface MeshScale {
  readonly links: number
  readonly channels: number
}

const largest = (values: readonly number[]): number =>
  values.reduce((most, value) => Math.max(most, value), 0)

/** How many cycles an interval lasts: the last one may be cut short. */
export function binLength({ simulatedCycles }: EventReport, activity: EventActivity, bin: number) {
  const left = simulatedCycles - bin * activity.binCycles
  return left > 0 ? Math.min(activity.binCycles, left) : activity.binCycles
}

/** @param bin interval, or null for the whole of what was simulated */
export function meshValues(
  event: EventReport,
  activity: EventActivity,
  measure: TileMeasure,
  bin: number | null,
): MeshValues {
  const { columns, rows } = event.tiles
  const cycles = Math.max(1, bin === null ? event.simulatedCycles : binLength(event, activity, bin))
  const at = (series: readonly (readonly number[])[]): number[] =>
    series.map(
      values =>
        (bin === null ? values.reduce((sum, v) => sum + v, 0) : (values[bin] ?? 0)) / cycles,
    )
  const share = (values: readonly number[]) => values.map(value => Math.min(1, value))
  const { tiles, channels } = activity
  const vector = measure === 'idle' ? at(tiles.vector) : []
  const written = at(channels.written)
  return {
    columns,
    rows,
    tiles:
      measure === 'idle'
        ? at(tiles.matrix).map((busy, tile) => Math.max(0, 1 - busy - (vector[tile] ?? 0)))
        : share(at(tiles[measure])),
    links: at(activity.links.bytes),
    channels: at(channels.read).map((read, channel) => read + (written[channel] ?? 0)),
  }
}

/** Scales of all intervals, or of the whole run. */
export function meshScale(
  event: EventReport,
  activity: EventActivity,
  isWhole: boolean,
): MeshScale {
  const bins = isWhole ? [null] : Array.from({ length: activity.bins }, (_, bin) => bin)
  let links = 0
  let channels = 0
  for (const bin of bins) {
    const values = meshValues(event, activity, 'matrix', bin)
    links = Math.max(links, largest(values.links))
    channels = Math.max(channels, largest(values.channels))
  }
  return { links, channels }
}
