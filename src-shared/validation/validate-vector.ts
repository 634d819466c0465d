import deepSeek from '#resources/published/vector-deepseek-2025.json' with { type: 'json' }
import runs from '#resources/published/vector-kernels-2026.json' with { type: 'json' }
import type { Engine } from '#shared/schema/engine-field.ts'
import {
  vectorInputSchema,
  type VectorDocument,
  type VectorInput,
} from '#shared/schema/vector-input.ts'
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
  engine: Engine,
  chip: VectorInput['chip'],
  workload: Readonly<Record<string, unknown>>,
): VectorDocument =>
  estimateVector(
    vectorInputSchema.parse({
      kind: 'vector',
      engine,
      chip,
      workload: { data: 'zeros', dtype: 'fp8', ...workload },
      timing: 'first-tile',
    }),
  )

const sumOf = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0)

function vectorRuns(engine: Engine) {
  return runs.rows.map(row => {
    const { cell, count, optional } = reader(runs.columns, row)
    const mesh = count('mesh')
    const topK = optional('topK')
    const chip = { ...meshOf(mesh, count('channels')), clockGHz: count('clockGHz') }
    const { result, event } = simulate(engine, chip, {
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
      // What the channels of the event engine have moved, or what the phase engine counts.
      moved: {
        read: event === undefined ? result.hbmReadBytes : sumOf(event.channels.readBytes),
        written: event === undefined ? result.hbmWriteBytes : sumOf(event.channels.writtenBytes),
      },
      read: optional('hbmReadBytes'),
      written: optional('hbmWriteBytes'),
    }
  })
}

/** Vector kernels against the reference simulator, by both timers, and against slides. */
export function validateVector(engine: Engine): ValidationSet[] {
  const all = vectorRuns(engine)
  const isEvent = engine === 'event'
  const id = (set: string, year: number) => `${set}${isEvent ? '-event' : ''}-${String(year)}`
  const title = (text: string) => `${text}${isEvent ? ', event engine' : ''}`
  const runtime = { meanAbsoluteError: isEvent ? 0.08 : 0.06, largestError: 0.15 }
  return [
    validationSet({
      id: id('vector-kernels', 2026),
      title: title('Vector kernels on the reference simulator, until all tiles are through'),
      source: runs.source,
      target: runtime,
      rows: all.flatMap(({ name, result, allTiles }) =>
        allTiles === undefined ? [] : [compared(name, 'cycles', result.cyclesAllTiles, allTiles)],
      ),
    }),
    validationSet({
      id: id('vector-first-tile', 2026),
      title: title('Vector kernels on the reference simulator, until tile 0 is through'),
      source: runs.source,
      target: runtime,
      rows: all.map(({ name, result, firstTile }) =>
        compared(name, 'cycles', result.cyclesFirstTile, firstTile),
      ),
    }),
    validationSet({
      id: id('vector-traffic', 2026),
      title: title('HBM traffic of vector kernels on the reference simulator'),
      source: runs.source,
      target: exactly,
      rows: all.flatMap(({ name, moved, read, written }) =>
        read === undefined || written === undefined
          ? []
          : [
              compared(`${name}: read`, 'B', moved.read, read),
              compared(`${name}: written`, 'B', moved.written, written),
            ],
      ),
    }),
    validationSet({
      id: id('vector-deepseek', 2025),
      title: title('Vector kernels of a DeepSeek-v3 decode layer, until tile 0 is through'),
      source: deepSeek.source,
      // A step of the digitised shares is a quarter of 2 µs, a third of the shortest bar: two sums of
      // the same size are 1.7 and 2.2; recorded, that sum takes 2.1.
      target: { meanAbsoluteError: 0.2, largestError: isEvent ? 0.4 : 0.3 },
      rows: deepSeek.rows.map(row => {
        const { cell, count, optional } = reader(deepSeek.columns, row)
        const topK = optional('topK')
        const { result } = simulate(engine, presetChip('flat-2026-fp8'), {
          kernel: cell('kernel'),
          tokens: count('tokens'),
          width: count('width'),
          ...(topK === undefined ? {} : { topK }),
        })
        return compared(
          `${String(cell('name'))}, ${String(count('tokens'))} x ${String(count('width'))}`,
          'µs',
          count('runs') * result.seconds * 1e6,
          (count('sharePercent') / 100) * deepSeek.totalMicroseconds,
        )
      }),
    }),
  ]
}
