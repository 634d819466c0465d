import published from '#resources/published/fig11-l1-occupancy.json' with { type: 'json' }
import type { Chip } from '#shared/hardware/chip.ts'
import { l1Occupancy } from '#shared/models/attention/l1-occupancy.ts'
import { matrixContext } from '#shared/models/attention/tile-costs.ts'
import { idealMatrixOperation, matrixOperation } from '#shared/models/engines/matrix-engine.ts'
import type { SlicePoint, StudyResult } from '#shared/results/study-result.ts'
import { resolveChip, type ChipConfig } from '#shared/schema/chip.ts'
import type { Simulation } from '#shared/simulate/simulation.ts'
import { formatBytes, formatPercent } from '#shared/units/format.ts'

const HEAD_DIMENSIONS = [128, 64]
const SLICES = published.rows.map(([slice = 0]) => slice)
/** What the tiling rule asks for (arXiv 2604.02110, Section V-B). */
const WANTED_UTILIZATION = 0.95

/**
 * Square slices of scores from small to large in FP16, double-buffered as in FlatAsync: how busy the
 * matrix engine is with Q·Kᵀ and P·V of one slice, and what its buffers take of L1.
 *
 * Source of the published bytes: resources/published/fig11-l1-occupancy.json.
 */
export function* runSliceStudy(config: ChipConfig, isPublished: boolean): Simulation<StudyResult> {
  const chip = resolveChip(config)
  const points: SlicePoint[] = []
  for (const [index, headDim] of HEAD_DIMENSIONS.entries()) {
    yield { phase: `D ${String(headDim)}`, done: index, total: HEAD_DIMENSIONS.length }
    points.push(...SLICES.map(slice => pointOf(headDim, slice, chip, isPublished)))
  }
  return {
    study: 'slice',
    points,
    capacityBytes: chip.l1.capacity,
    findings: HEAD_DIMENSIONS.map(headDim =>
      findingOf(
        headDim,
        points.filter(point => point.headDim === headDim),
        chip,
      ),
    ),
    source: published.source,
  }
}

function pointOf(headDim: number, slice: number, chip: Chip, isPublished: boolean): SlicePoint {
  const operations = [
    { rows: slice, contraction: headDim, columns: slice },
    { rows: slice, contraction: slice, columns: headDim },
  ]
  const context = matrixContext(chip, 'fp16')
  const sum = (values: readonly number[]): number => values.reduce((total, one) => total + one, 0)
  const ideal = sum(operations.map(shape => idealMatrixOperation(shape, chip.matrixEngine)))
  const actual = sum(operations.map(shape => matrixOperation(shape, context)))
  const l1Bytes = l1Occupancy(
    {
      sliceRows: slice,
      sliceCols: slice,
      dimensions: { score: headDim, value: headDim },
      dtype: 'fp16',
    },
    'flat-async',
  )
  // The bytes of the buffers follow from the slice alone: they are those of any chip.
  const row = isPublished ? published.rows.find(([rowSlice]) => rowSlice === slice) : undefined
  return {
    ...{ headDim, slice, l1Bytes, matrixUtilization: ideal / actual },
    fits: l1Bytes <= chip.l1.capacity,
    publishedBytes: row?.[HEAD_DIMENSIONS.indexOf(headDim) + 1] ?? null,
  }
}

function findingOf(headDim: number, points: readonly SlicePoint[], chip: Chip): string {
  const fitting = points.filter(({ fits }) => fits)
  const largest = fitting.at(-1)
  const name = `D ${String(headDim)}`
  if (largest === undefined) {
    return `${name}: no slice fits in ${formatBytes(chip.l1.capacity)} of L1.`
  }
  const enough = fitting.find(({ matrixUtilization }) => matrixUtilization >= WANTED_UTILIZATION)
  const limit = `the largest that fits in ${formatBytes(chip.l1.capacity)} has ${String(largest.slice)}`
  if (enough === undefined) {
    return `${name}: no slice that fits keeps the engine 95 % busy; ${limit} rows and columns and reaches ${formatPercent(largest.matrixUtilization)}.`
  }
  return (
    `${name}: slices of ${String(enough.slice)} rows and columns are the smallest that keep the engine ` +
    `95 % busy (${formatPercent(enough.matrixUtilization)}), with ${formatBytes(enough.l1Bytes)} of L1; ${limit}.`
  )
}
