import type { TimelineOperation } from '#shared/results/event-report.ts'

/** What operations have in common. */
export type OperationKind = Pick<TimelineOperation, 'engine' | 'component' | 'name'>

/** A timeline in columns, so that a million operations can be sent: the n-th of each belong together. */
export interface PackedTimeline {
  readonly kinds: readonly OperationKind[]
  /** Index in `kinds`. */
  readonly kind: readonly number[]
  readonly tile: readonly number[]
  /** In cycles. */
  readonly start: readonly number[]
  readonly end: readonly number[]
  /** Bytes that were moved, 0 where none were. */
  readonly bytes: readonly number[]
}

/** Packs a timeline; kinds are in the order in which they appear. */
export function packTimeline(timeline: readonly TimelineOperation[]): PackedTimeline {
  const kinds: OperationKind[] = []
  const indexes = new Map<string, number>()
  const indexOf = ({ engine, component, name }: TimelineOperation): number => {
    const key = `${engine} ${component} ${name}`
    const known = indexes.get(key)
    if (known !== undefined) return known
    indexes.set(key, kinds.length)
    return kinds.push({ engine, component, name }) - 1
  }
  return {
    kind: timeline.map(indexOf),
    kinds,
    tile: timeline.map(({ tile }) => tile),
    start: timeline.map(({ start }) => start),
    end: timeline.map(({ end }) => end),
    bytes: timeline.map(({ bytes }) => bytes ?? 0),
  }
}

/**
 * The operations of a packed timeline, in their order.
 *
 * @throws RangeError where its columns do not belong together
 */
export function unpackTimeline(packed: PackedTimeline): TimelineOperation[] {
  const { kinds, kind, tile, start, end, bytes } = packed
  return kind.map((index, at) => {
    const common = kinds[index]
    const where = tile[at]
    const from = start[at]
    const to = end[at]
    if (common === undefined || where === undefined || from === undefined || to === undefined) {
      throw new RangeError(`timeline: operation ${String(at)} is not whole`)
    }
    const moved = bytes[at] ?? 0
    return {
      ...common,
      tile: where,
      start: from,
      end: to,
      ...(moved > 0 ? { bytes: moved } : {}),
    }
  })
}
