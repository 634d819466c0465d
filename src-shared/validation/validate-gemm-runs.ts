import runs from '#resources/published/gemm-runs-2026.json' with { type: 'json' }
import { defaultSummaOptions } from '#shared/models/event/summa/simulate-summa.ts'
import type { GemmResult } from '#shared/results/gemm-result.ts'
import type { Engine } from '#shared/schema/engine-field.ts'
import { gemmInputSchema, type GemmDocument } from '#shared/schema/gemm-input.ts'
import { estimateGemm } from '#shared/simulate/run-gemm.ts'
import { meshOf } from '#shared/validation/published-input.ts'
import { compared, validationSet, type ValidationSet } from '#shared/validation/validation-set.ts'

interface GemmRun {
  readonly name: string
  readonly document: GemmDocument
  readonly cycles: number
  readonly hbmReadBytes: number | undefined
  readonly hbmWriteBytes: number | undefined
}

function gemmRuns(engine: Engine): GemmRun[] {
  return runs.rows.map(row => {
    const cell = (column: string) => row[runs.columns.indexOf(column)] ?? undefined
    const count = (column: string) => Number(cell(column))
    const optional = (column: string) => (cell(column) === undefined ? undefined : count(column))
    const counts = (...columns: readonly string[]) =>
      Object.fromEntries(columns.map(column => [column, count(column)]))
    const mesh = count('mesh')
    const input = gemmInputSchema.parse({
      kind: 'gemm',
      engine,
      chip: { ...meshOf(mesh, count('channels')), clockGHz: count('clockGHz') },
      workload: { ...counts('m', 'n', 'k', 'batch'), dtype: cell('dtype') },
      mapping: {
        ...counts('tileM', 'tileN', 'tileK', 'groupX', 'groupY', 'groups'),
        split: cell('split'),
      },
    })
    const { m, n, k } = input.workload
    const { tileM, tileN, tileK } = input.mapping
    const by = (...sides: readonly (number | undefined)[]) => sides.map(String).join(' x ')
    return {
      name:
        `${by(mesh, mesh)}, ${String(count('channels'))} ch: ${by(m, n, k)} in ` +
        `${by(tileM, tileN, tileK)}, ${count('groups') === 1 ? '1 group' : `${String(count('groups'))} groups`}, ${input.workload.dtype}`,
      document: estimateGemm(input, { ...defaultSummaOptions, repeatsStores: true }),
      cycles: count('cycles'),
      hbmReadBytes: optional('hbmReadBytes'),
      hbmWriteBytes: optional('hbmWriteBytes'),
    }
  })
}

/**
 * How often the reference kernel writes Z. Where a group has more steps than tile columns, it stores
 * every block but the last r = steps − groupX + 1 times: a defect that the model does not have.
 *
 *   ((panels − 1) · r + 1) / panels
 */
function repeatedStores({ outputBlocks, steps, groupX }: GemmResult['mapping']): number {
  const repeats = Math.max(1, steps - groupX + 1)
  return ((outputBlocks - 1) * repeats + 1) / outputBlocks
}

/** Bytes written with the stores that the kernel repeats; the event engine makes them. */
function writtenBytes({ result, event }: GemmDocument): number {
  if (event === undefined) return result.hbmWriteBytes * repeatedStores(result.mapping)
  return event.channels.writtenBytes.reduce((sum, bytes) => sum + bytes, 0)
}

function readBytes({ result, event }: GemmDocument): number {
  if (event === undefined) return result.hbmReadBytes
  return event.channels.readBytes.reduce((sum, bytes) => sum + bytes, 0)
}

/** Runs of the public cycle-level simulator: runtime and HBM traffic. */
export function validateGemmRuns(engine: Engine): ValidationSet[] {
  const all = gemmRuns(engine)
  const isEvent = engine === 'event'
  return [
    validationSet({
      id: isEvent ? 'gemm-runs-event-2026' : 'gemm-runs-2026',
      title: `SUMMA on the reference simulator${isEvent ? ', event engine' : ''}`,
      source: runs.source,
      target: { meanAbsoluteError: 0.05, largestError: isEvent ? 0.15 : 0.16 },
      rows: all.map(({ name, document, cycles }) =>
        compared(name, 'cycles', document.result.cycles, cycles),
      ),
    }),
    validationSet({
      id: isEvent ? 'gemm-traffic-runs-event-2026' : 'gemm-traffic-runs-2026',
      title: `HBM traffic of SUMMA on the reference simulator, with the stores that it repeats${isEvent ? ', event engine' : ''}`,
      source: runs.source,
      target: { meanAbsoluteError: 0.01, largestError: 0.01 },
      rows: all.flatMap(({ name, document, hbmReadBytes, hbmWriteBytes }) => {
        if (hbmReadBytes === undefined || hbmWriteBytes === undefined) return []
        return [
          compared(`${name}: read`, 'B', readBytes(document), hbmReadBytes),
          compared(`${name}: written`, 'B', writtenBytes(document), hbmWriteBytes),
        ]
      }),
    }),
  ]
}
