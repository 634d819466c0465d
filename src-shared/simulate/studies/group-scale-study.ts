import published from '#resources/published/fig9-group-scale-2025.json' with { type: 'json' }
import type { GroupPoint, StudyResult } from '#shared/results/study-result.ts'
import { resolveChip, type ChipConfig } from '#shared/schema/chip.ts'
import { attentionOutcome } from '#shared/simulate/attention-outcome.ts'
import { InfeasibleError, type Simulation } from '#shared/simulate/simulation.ts'
import { formatPercent, formatRatio } from '#shared/units/format.ts'
import type { AttentionWorkload } from '#shared/workload/attention.ts'

const LENGTHS = [512, 1024, 2048, 4096]

/** Prefill of the figure: batch 4, 32 heads of 128, FP16, without mask. */
const workloadOf = (length: number): AttentionWorkload => ({
  variant: 'mha',
  phase: 'prefill',
  batch: 4,
  heads: 32,
  kvHeads: 32,
  headDim: 128,
  queryLength: length,
  kvLength: length,
  speculativeLength: 1,
  causal: false,
  dtype: 'fp16',
})

/**
 * FlatAsync over square groups of 1, 2, 4, … tiles a side: small groups load K and V again and again,
 * large ones leave too thin a slice to each tile (over-flattening).
 *
 * Source of the published points: resources/published/fig9-group-scale-2025.json.
 *
 * @throws InfeasibleError where no group runs on the chip
 */
export function* runGroupScaleStudy(
  config: ChipConfig,
  isPublished: boolean,
): Simulation<StudyResult> {
  const chip = resolveChip(config)
  const side = Math.min(chip.tiles.x, chip.tiles.y)
  const groups = Array.from({ length: Math.floor(Math.log2(side)) + 1 }, (_, index) => 2 ** index)
  const points: GroupPoint[] = []
  let refusal = ''
  for (const [index, length] of LENGTHS.entries()) {
    for (const group of groups) {
      yield { phase: `S ${String(length)}`, done: index, total: LENGTHS.length }
      const mapping = { groupX: group, groupY: group }
      const outcome = attentionOutcome('flat-async', workloadOf(length), mapping, chip)
      if (outcome.kind === 'problem') refusal = outcome.message
      else points.push(pointOf(length, group, outcome.kernel.result, isPublished))
    }
  }
  if (points.length === 0) throw new InfeasibleError(refusal)
  return {
    study: 'group-scale',
    points,
    findings: LENGTHS.flatMap(length => findingOf(points.filter(point => point.length === length))),
    source: published.source,
  }
}

type KernelResult = Pick<
  GroupPoint,
  'seconds' | 'matrixUtilization' | 'matrixActiveUtilization' | 'breakdown'
> & { readonly mapping: Pick<GroupPoint, 'sliceRows' | 'sliceCols'> }

function pointOf(
  length: number,
  group: number,
  result: KernelResult,
  isPublished: boolean,
): GroupPoint {
  const { seconds, matrixUtilization, matrixActiveUtilization, breakdown, mapping } = result
  const row = isPublished
    ? published.rows.find(([rowLength, rowGroup]) => rowLength === length && rowGroup === group)
    : undefined
  const active = row?.at(-1)
  return {
    ...{ length, group, sliceRows: mapping.sliceRows, sliceCols: mapping.sliceCols },
    ...{ seconds, matrixUtilization, matrixActiveUtilization, breakdown },
    publishedSeconds: row?.[3] === undefined ? null : row[3] * 1e-9,
    publishedActiveUtilization: active === undefined ? null : active / 100,
  }
}

/** The best group of a length, and what the largest one costs. */
function findingOf(points: readonly GroupPoint[]): string[] {
  const best = points.toSorted((a, b) => a.seconds - b.seconds)[0]
  const largest = points.at(-1)
  if (best === undefined || largest === undefined) return []
  const name = `S ${String(best.length)}`
  const fastest = `${name}: a group of ${sideOf(best)} is fastest, with ${formatPercent(best.matrixUtilization)} of the peak.`
  if (best === largest) return [`${fastest} It is the largest that the mesh has.`]
  return [
    `${fastest} ${sideOf(largest)} takes ${formatRatio(largest.seconds / best.seconds)} as long: ` +
      `its slices have ${String(largest.sliceRows)} rows` +
      (largest.sliceRows < best.sliceRows
        ? ` instead of ${String(best.sliceRows)}, which keep the matrix engine ` +
          `${formatPercent(largest.matrixActiveUtilization)} busy while it works: over-flattened.`
        : ', so the tile works as well as before, and only its collectives are longer.'),
  ]
}

const sideOf = ({ group }: GroupPoint): string => `${String(group)} × ${String(group)}`
