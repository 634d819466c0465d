import kernels from '#resources/published/flat-hc-collectives-2026.json' with { type: 'json' }
import type { CollectiveConfig } from '#shared/schema/collective-input.ts'
import { estimateCollective } from '#shared/simulate/run-collective.ts'
import { meshOf } from '#shared/validation/published-input.ts'
import { compared, validationSet, type ValidationSet } from '#shared/validation/validation-set.ts'

const TILES = 8
const HEADS = 2
const SLICE_BYTES = 128 * 128 * 2
const STATE_BYTES = 128 * 2

/** The seven collectives of a head. */
const collectivesOfHead = [
  { operation: 'multicast', bytes: SLICE_BYTES, count: 3 },
  { operation: 'multicast', bytes: STATE_BYTES, count: 1 },
  { operation: 'max', bytes: STATE_BYTES, count: 1 },
  { operation: 'sum', bytes: STATE_BYTES, count: 1 },
  { operation: 'sum', bytes: SLICE_BYTES, count: 1 },
] as const

function cyclesOfHead(how: Pick<CollectiveConfig, 'implementation' | 'stages'>): number {
  const cycles = collectivesOfHead.map(({ operation, bytes, count }) => {
    const { result } = estimateCollective({
      kind: 'collective',
      engine: 'phase',
      chip: meshOf(TILES, 4),
      collective: {
        ...how,
        operation,
        bytes,
        dtype: 'fp16',
        columns: TILES,
        rows: 1,
        barriers: 'chip',
      },
    })
    return count * result.cycles
  })
  return cycles.reduce((sum, one) => sum + one, 0)
}

/** What software collectives add to a whole kernel: the only check of pipelined reductions. */
export function validateCollectivesInKernels(): ValidationSet[] {
  const [hardware, ...software] = kernels.rows
  const base = Number(hardware?.[2])
  return [
    validationSet({
      id: 'flat-hc-collectives-2026',
      title: 'Cycles that software collectives add to a head of FlatHC, 8 x 8 tiles',
      source: kernels.source,
      target: { meanAbsoluteError: 0.06, largestError: 0.15 },
      rows: software.map(([name, stages, cycles]) => {
        const how =
          name === 'sw-tree'
            ? ({ implementation: 'sw-tree' } as const)
            : ({ implementation: 'sw-pipelined', stages: Number(stages) } as const)
        return compared(
          name === 'sw-tree' ? 'tree' : `pipelined, stages: ${String(stages)}`,
          'cycles',
          cyclesOfHead(how) - cyclesOfHead({ implementation: 'hw' }),
          (Number(cycles) - base) / HEADS,
        )
      }),
    }),
  ]
}
