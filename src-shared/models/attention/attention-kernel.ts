import { peakFlops, type Chip } from '#shared/hardware/chip.ts'
import type { Dataflow } from '#shared/mapping/dataflow.ts'
import { attentionTime, type AttentionTime } from '#shared/models/attention/attention-time.ts'
import {
  attentionTraffic,
  memoryDemand,
  type AttentionTraffic,
} from '#shared/models/attention/attention-traffic.ts'
import { boundOf } from '#shared/models/bound.ts'
import type { KernelShape } from '#shared/models/attention/kernel-shape.ts'
import { kernelOccupancy } from '#shared/models/attention/l1-occupancy.ts'
import { sliceOperations } from '#shared/models/attention/slice-operations.ts'
import { sliceCosts, type TileCosts } from '#shared/models/attention/tile-costs.ts'
import { idealMatrixOperation } from '#shared/models/engines/matrix-engine.ts'
import { peakHbmBandwidth } from '#shared/models/memory/hbm.ts'
import type { AttentionResult } from '#shared/results/attention-result.ts'
import { breakdownComponents } from '#shared/results/attention-result.ts'
import { durationOf } from '#shared/units/convert.ts'
import { cycles } from '#shared/units/quantity.ts'
import { headDimensions, usefulFlops } from '#shared/workload/attention.ts'

/** The numbers of a kernel with what they were made of. */
export interface AttentionKernel {
  readonly result: AttentionResult
  readonly shape: KernelShape
  readonly costs: TileCosts
  readonly time: AttentionTime
  readonly traffic: AttentionTraffic
}

/**
 * Simulates one attention kernel in phases.
 *
 * Every number is finite and none negative; utilisations are at most 1; the runtime is at least
 * useful FLOPs over peak and at least HBM bytes over peak.
 */
export function attentionKernel(
  dataflow: Dataflow,
  shape: KernelShape,
  chip: Chip,
): AttentionKernel {
  const { workload } = shape
  const traffic = attentionTraffic(dataflow, shape, chip)
  const time = attentionTime(dataflow, shape, memoryDemand(dataflow, traffic, shape, chip), chip)
  const costs = sliceCosts(shape, chip)
  const total = time.time.total
  const duration = durationOf(cycles(total), chip.clock)
  const useful = usefulFlops(workload)
  const peak = peakFlops(chip)
  const peakHbm = peakHbmBandwidth(chip)
  const readBytes = traffic.queryBytes + traffic.keyValueBytes
  const hbmBytes = readBytes + traffic.outputBytes
  const blockPairs =
    shape.groupX * shape.sliceCols * shape.groupY * shape.sliceRows * shape.columnBlocks
  const { components } = time.time
  const dimensions = headDimensions(workload)
  return {
    shape,
    costs,
    time,
    traffic,
    result: {
      cycles: total,
      seconds: duration,
      matrixUtilization: utilization(useful, peak * duration),
      matrixActiveUtilization: activeUtilization(shape, costs, chip),
      usefulFlops: useful,
      executedFlops: 2 * (dimensions.score + dimensions.value) * blockPairs,
      hbmReadBytes: readBytes,
      hbmWriteBytes: traffic.outputBytes,
      hbmBandwidthUtilization: utilization(hbmBytes, peakHbm * duration),
      nocBytes: traffic.nocBytes,
      l1PeakBytes: kernelOccupancy(shape, workload, dataflow),
      arithmeticIntensity: ratio(useful, hbmBytes),
      bound: boundOf(components),
      mapping: {
        groupX: shape.groupX,
        groupY: shape.groupY,
        groups: shape.groups,
        sliceRows: shape.sliceRows,
        sliceCols: shape.sliceCols,
        blockRows: shape.groupY * shape.sliceRows,
        blockCols: shape.groupX * shape.sliceCols,
        outerIterations: shape.outerIterations,
        innerIterations: shape.innerIterations,
        async: dataflow === 'flat-async',
      },
      breakdown: breakdownComponents.map(component => ({
        component,
        seconds: durationOf(cycles(components[component]), chip.clock),
      })),
      peakFlopsPerSecond: peak,
      peakHbmBytesPerSecond: peakHbm,
    },
  }
}

const ratio = (part: number, whole: number): number => (whole > 0 ? part / whole : 0)

/** A kernel that runs at the peak would come out as 1 + 2⁻⁵²: rounding, not more than the peak. */
const utilization = (part: number, whole: number): number => Math.min(1, ratio(part, whole))

/** Ideal over busy time of the matrix operations of a slice. */
function activeUtilization(shape: KernelShape, costs: TileCosts, chip: Chip): number {
  const { scores, output } = sliceOperations(shape, shape.workload)
  const ideal = [...scores, ...output].reduce(
    (sum, operation) => sum + idealMatrixOperation(operation, chip.matrixEngine),
    0,
  )
  return shape.columnBlocks > 0 ? ratio(ideal, costs.scores + costs.output) : 0
}
