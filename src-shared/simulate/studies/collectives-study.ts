import published from '#resources/published/fig7-collectives-2026.json' with { type: 'json' }
import type { CollectivePoint, StudyResult } from '#shared/results/study-result.ts'
import type { ChipConfig } from '#shared/schema/chip.ts'
import type { CollectiveConfig } from '#shared/schema/collective-input.ts'
import { estimateCollective } from '#shared/simulate/run-collective.ts'
import { InfeasibleError, type Simulation } from '#shared/simulate/simulation.ts'
import { formatBytes, formatRatio } from '#shared/units/format.ts'

const OPERATIONS = ['multicast', 'sum'] as const
const IMPLEMENTATIONS = ['hw', 'sw-tree', 'sw-seq'] as const
/** The sweep of the public benchmark ends at 256 KiB, where the figure's ratios are read. */
const SIZES = Array.from({ length: 11 }, (_, index) => 256 * 2 ** index)
const LAST_SIZE = 256 * 1024

/**
 * Multicast and sum along all rows of the mesh at once, in the routers and in software, over the size
 * of the message; FP16.
 *
 * Source of the published ratios: resources/published/fig7-collectives-2026.json.
 *
 * @throws InfeasibleError where a row has a single tile
 */
export function* runCollectivesStudy(
  chip: ChipConfig,
  isPublished: boolean,
): Simulation<StudyResult> {
  const participants = chip.tiles.x
  if (participants < 2) {
    throw new InfeasibleError(
      `chip.tiles.x: must be at least 2 for a collective along a row, got ${String(participants)}`,
    )
  }
  const points: CollectivePoint[] = []
  for (const [index, operation] of OPERATIONS.entries()) {
    for (const bytes of SIZES) {
      yield { phase: operation, done: index, total: OPERATIONS.length }
      const seconds = IMPLEMENTATIONS.map(implementation => ({
        implementation,
        seconds: secondsOf(chip, operation, implementation, bytes),
      }))
      const hardware = seconds[0]?.seconds ?? Number.NaN
      for (const one of seconds) {
        points.push({
          ...{ operation, bytes, ...one, overHardware: one.seconds / hardware },
          publishedOverHardware:
            isPublished && bytes === LAST_SIZE ? ratioOf(operation, one.implementation) : null,
        })
      }
    }
  }
  return {
    study: 'collectives',
    points,
    participants,
    findings: OPERATIONS.map(operation => findingOf(operation, points, participants)),
    source: published.source,
  }
}

function secondsOf(
  chip: ChipConfig,
  operation: CollectivePoint['operation'],
  implementation: CollectivePoint['implementation'],
  bytes: number,
): number {
  const collective: CollectiveConfig = {
    operation,
    implementation,
    bytes,
    dtype: 'fp16',
    columns: chip.tiles.x,
    rows: 1,
    barriers: 'chip',
  }
  return estimateCollective({ kind: 'collective', engine: 'phase', chip, collective }).result
    .seconds
}

function ratioOf(operation: string, implementation: string): number | null {
  const row = published.rows.find(([name, how]) => name === operation && how === implementation)
  return row === undefined ? null : Number(row[2])
}

function findingOf(
  operation: CollectivePoint['operation'],
  points: readonly CollectivePoint[],
  participants: number,
): string {
  const at = (implementation: CollectivePoint['implementation'], bytes: number): number =>
    points.find(
      point =>
        point.operation === operation &&
        point.implementation === implementation &&
        point.bytes === bytes,
    )?.overHardware ?? Number.NaN
  const ratios = (bytes: number): string =>
    `${formatRatio(at('sw-tree', bytes))} and ${formatRatio(at('sw-seq', bytes))}`
  const name = operation === 'multicast' ? 'Multicast' : 'Sum'
  const first = SIZES[0] ?? 0
  return (
    `${name} over ${String(participants)} tiles: a software tree and sending one after another take ` +
    `${ratios(LAST_SIZE)} the time of the routers at ${formatBytes(LAST_SIZE)}, and ` +
    `${ratios(first)} at ${formatBytes(first)}.`
  )
}
