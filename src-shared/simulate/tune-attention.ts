import { tileCount, type Chip } from '#shared/hardware/chip.ts'
import type { Dataflow } from '#shared/mapping/dataflow.ts'
import type { MappingOverrides } from '#shared/mapping/mapping-overrides.ts'
import { MODEL_VERSION } from '#shared/model-version.ts'
import type { AttentionKernel } from '#shared/models/attention/attention-kernel.ts'
import { attentionWarnings } from '#shared/models/attention/attention-warnings.ts'
import { explainAttention } from '#shared/models/attention/explain-attention.ts'
import { mappingCandidates } from '#shared/models/attention/mapping-candidates.ts'
import { resolveChip } from '#shared/schema/chip.ts'
import { SCHEMA_VERSION } from '#shared/schema/schema-version.ts'
import type { TuneDocument, UnfitMapping } from '#shared/schema/tune-document.ts'
import type { TuneInput } from '#shared/schema/tune-input.ts'
import { resolveWorkload } from '#shared/schema/workload.ts'
import { attentionOutcome, checkGroup, nothingRuns } from '#shared/simulate/attention-outcome.ts'
import type { Simulation } from '#shared/simulate/simulation.ts'
import { rankMappings } from '#shared/simulate/rank-mappings.ts'
import type { Timed } from '#shared/simulate/tune-rejection.ts'
import { formatBytes } from '#shared/units/format.ts'
import type { AttentionWorkload } from '#shared/workload/attention.ts'

/** Candidates between two steps: about a millisecond. */
const STRIDE = 16

/**
 * Tries every mapping of the search space with the phase engine and ranks them by runtime, then by
 * the L1 that they take; what is rejected gets a reason.
 *
 * The mapping of the tiling rule is among those that are tried, so the best is never slower.
 *
 * @throws InfeasibleError where no mapping of any of the dataflows can run, or the chip has no such group
 */
export function* tuneAttention(input: TuneInput): Simulation<TuneDocument> {
  const chip = resolveChip(input.chip)
  const workload = resolveWorkload(input.workload)
  const requested = [...new Set(input.dataflows)]
  checkGroup(requested, input.mapping, chip)
  const rule = new Map(
    requested.map(dataflow => [dataflow, tryMapping(dataflow, workload, input.mapping, chip)]),
  )
  const timed: Timed[] = []
  const unfit: UnfitMapping[] = []
  for (const outcome of yield* tryAll(requested, workload, input.mapping, chip)) {
    if ('cycles' in outcome) timed.push(outcome)
    else unfit.push(outcome)
  }
  const ranking = rankMappings({ requested, rule, timed, unfit, tiles: tileCount(chip) }, input.top)
  if (ranking === undefined) {
    throw nothingRuns(
      [...rule].flatMap(([dataflow, outcome]) =>
        'reason' in outcome ? [{ dataflow, reason: outcome.reason.message }] : [],
      ),
    )
  }
  const { best, ...rest } = ranking
  const kernel = kernelOf(best, workload, chip)
  return {
    schemaVersion: SCHEMA_VERSION,
    modelVersion: MODEL_VERSION,
    input,
    result: { best: { dataflow: best.dataflow, ...kernel.result }, ...rest },
    explanation: explainAttention(best.dataflow, kernel, chip),
    warnings: attentionWarnings(best.dataflow, kernel, chip),
  }
}

function* tryAll(
  requested: readonly Dataflow[],
  workload: AttentionWorkload,
  overrides: MappingOverrides,
  chip: Chip,
): Simulation<(Timed | UnfitMapping)[]> {
  const spaces = requested.map(dataflow => ({
    dataflow,
    space: mappingCandidates(dataflow, workload, overrides, chip),
  }))
  const total = spaces.reduce(
    (sum, { space: { rows, columns } }) => sum + rows.length * columns.length,
    0,
  )
  const tried: (Timed | UnfitMapping)[] = []
  for (const { dataflow, space } of spaces) {
    for (const row of space.rows) {
      for (const column of space.columns) {
        if (tried.length % STRIDE === 0) yield { phase: 'search', done: tried.length, total }
        tried.push(
          tryMapping(
            dataflow,
            workload,
            {
              // A block that was asked for is held against the slice.
              ...overrides,
              groupX: column.group,
              groupY: row.group,
              sliceRows: row.slice,
              sliceCols: column.slice,
            },
            chip,
          ),
        )
      }
    }
  }
  return tried
}

function tryMapping(
  dataflow: Dataflow,
  workload: AttentionWorkload,
  overrides: MappingOverrides,
  chip: Chip,
): Timed | UnfitMapping {
  const outcome = attentionOutcome(dataflow, workload, overrides, chip)
  if (outcome.kind === 'kernel') return timedMapping(dataflow, outcome.kernel)
  const { groupX = 0, groupY = 0, sliceRows = 0, sliceCols = 0 } = overrides
  const { l1Bytes, message } = outcome
  return {
    dataflow,
    groupX,
    groupY,
    sliceRows,
    sliceCols,
    l1Bytes: l1Bytes ?? null,
    reason:
      l1Bytes === undefined
        ? { code: 'refused', message }
        : {
            code: 'l1',
            message: `needs ${formatBytes(l1Bytes)} of L1, a tile has ${formatBytes(chip.l1.capacity)}`,
          },
  }
}

function timedMapping(dataflow: Dataflow, { result, shape }: AttentionKernel): Timed {
  const { mapping, cycles, seconds, matrixUtilization, l1PeakBytes, breakdown } = result
  return {
    dataflow,
    mapping,
    cycles,
    seconds,
    matrixUtilization,
    l1PeakBytes,
    activeTiles: shape.activeGroups * shape.groupX * shape.groupY,
    breakdown,
  }
}

/** The same kernel once more, with all that a document says about it. */
function kernelOf(
  { dataflow, mapping }: Timed,
  workload: AttentionWorkload,
  chip: Chip,
): AttentionKernel {
  const { groupX, groupY, sliceRows, sliceCols } = mapping
  const fixed = { groupX, groupY, sliceRows, sliceCols }
  const outcome = attentionOutcome(dataflow, workload, fixed, chip)
  if (outcome.kind === 'problem') throw new Error(outcome.message)
  return outcome.kernel
}
