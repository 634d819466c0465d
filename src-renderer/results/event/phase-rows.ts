import { phaseTotals } from '#renderer/charts/timeline/lane.ts'
import type { TimelineOperation } from '#shared/results/event-report.ts'

/** What a phase takes in two runs, in cycles of one tile in the whole run. */
export interface PhaseRow {
  readonly name: string
  readonly cycles: number
  readonly other: number | undefined
  /** Of the other run against the first, 0.1 for 10 % more; undefined where one has no such phase. */
  readonly change: number | undefined
}

/** A timeline, and how much longer the whole run is than what of it was simulated. */
export interface TimedRun {
  readonly timeline: readonly TimelineOperation[]
  readonly stretch: number
}

/** Mean of the shown tiles for each phase; of the second run only where there is one. */
export function phaseRows(first: TimedRun, second: TimedRun | undefined): PhaseRow[] {
  const own = perTile(first)
  const others = second === undefined ? undefined : perTile(second)
  const names = [...new Set([...own.keys(), ...(others?.keys() ?? [])])]
  return names.map(name => {
    const cycles = own.get(name) ?? 0
    const other = others === undefined ? undefined : (others.get(name) ?? 0)
    const isInBoth = cycles > 0 && other !== undefined && other > 0
    return { name, cycles, other, change: isInBoth ? other / cycles - 1 : undefined }
  })
}

function perTile({ timeline, stretch }: TimedRun): Map<string, number> {
  const tiles = Math.max(1, new Set(timeline.map(({ tile }) => tile)).size)
  return new Map(
    [...phaseTotals(timeline)].map(([name, cycles]) => [name, (cycles * stretch) / tiles]),
  )
}
