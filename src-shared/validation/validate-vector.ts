import deepSeek from '#resources/published/vector-deepseek-2025.json' with { type: 'json' }
import runs from '#resources/published/vector-kernels-2026.json' with { type: 'json' }
import type { VectorResult } from '#shared/results/vector-result.ts'
import { vectorInputSchema, type VectorInput } from '#shared/schema/vector-input.ts'
import { estimateVector } from '#shared/simulate/run-vector.ts'
import { meshOf, presetChip } from '#shared/validation/published-input.ts'
import {
  compared,
  exactly,
  validationSet,
  type ValidationSet,
} from '#shared/validation/validation-set.ts'

type Cell = string | number | null

/** The cell of a column, undefined where there is none. */
const reader = (columns: readonly string[], row: readonly Cell[]) => {
  const cell = (column: string) => row[columns.indexOf(column)] ?? undefined
  const optional = (column: string) =>
    cell(column) === undefined ? undefined : Number(cell(column))
  return { cell, optional, count: (column: string) => Number(cell(column)) }
}

const simulate = (
  chip: VectorInput['chip'],
  workload: Readonly<Record<string, unknown>>,
): VectorResult =>
  estimateVector(
    vectorInputSchema.parse({
      kind: 'vector',
      engine: 'phase',
      chip,
      workload: { data: 'zeros', dtype: 'fp8', ...workload },
      timing: 'first-tile',
    }),
  ).result

function vectorRuns() {
  return runs.rows.map(row => {
    const { cell, count, optional } = reader(runs.columns, row)
    const mesh = count('mesh')
    const topK = optional('topK')
    const chip = { ...meshOf(mesh, count('channels')), clockGHz: count('clockGHz') }
    const result = simulate(chip, {
      kernel: cell('kernel'),
      tokens: count('tokens'),
      width: count('width'),
      data: cell('data'),
      ...(topK === undefined ? {} : { topK }),
    })
    return {
      name: `${String(cell('kernel'))}, ${String(count('tokens'))} x ${String(count('width'))}, ${String(mesh)}x${String(mesh)}, ${String(count('channels'))} ch`,
      result,
      firstTile: count('cyclesFirstTile'),
      allTiles: optional('cyclesAllTiles'),
      read: optional('hbmReadBytes'),
      written: optional('hbmWriteBytes'),
    }
  })
}

/** Vector kernels against the reference simulator, by both timers, and against slides. */
export function validateVector(): ValidationSet[] {
  const all = vectorRuns()
  return [
    validationSet({
      id: 'vector-kernels-2026',
      title: 'Vector kernels on the reference simulator, until all tiles are through',
      source: runs.source,
      target: { meanAbsoluteError: 0.06, largestError: 0.15 },
      rows: all.flatMap(({ name, result, allTiles }) =>
        allTiles === undefined ? [] : [compared(name, 'cycles', result.cyclesAllTiles, allTiles)],
      ),
    }),
    validationSet({
      id: 'vector-first-tile-2026',
      title: 'Vector kernels on the reference simulator, until tile 0 is through',
      source: runs.source,
      target: { meanAbsoluteError: 0.06, largestError: 0.15 },
      rows: all.map(({ name, result, firstTile }) =>
        compared(name, 'cycles', result.cyclesFirstTile, firstTile),
      ),
    }),
    validationSet({
      id: 'vector-traffic-2026',
      title: 'HBM traffic of vector kernels on the reference simulator',
      source: runs.source,
      target: exactly,
      rows: all.flatMap(({ name, result, read, written }) =>
        read === undefined || written === undefined
          ? []
          : [
              compared(`${name}: read`, 'B', result.hbmReadBytes, read),
              compared(`${name}: written`, 'B', result.hbmWriteBytes, written),
            ],
      ),
    }),
    validationSet({
      id: 'vector-deepseek-2025',
      title: 'Vector kernels of a DeepSeek-v3 decode layer, until tile 0 is through',
      source: deepSeek.source,
      // A step of the digitised shares is a quarter of 2 µs: two sums of the same size are 1.7 and 2.2.
      target: { meanAbsoluteError: 0.2, largestError: 0.3 },
      rows: deepSeek.rows.map(row => {
        const { cell, count, optional } = reader(deepSeek.columns, row)
        const topK = optional('topK')
        const { seconds } = simulate(presetChip('flat-2026-fp8'), {
          kernel: cell('kernel'),
          tokens: count('tokens'),
          width: count('width'),
          ...(topK === undefined ? {} : { topK }),
        })
        return compared(
          `${String(cell('name'))}, ${String(count('tokens'))} x ${String(count('width'))}`,
          'µs',
          count('runs') * seconds * 1e6,
          (count('sharePercent') / 100) * deepSeek.totalMicroseconds,
        )
      }),
    }),
  ]
}
