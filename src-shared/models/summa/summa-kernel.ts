import type { Chip } from '#shared/hardware/chip.ts'
import { boundOf } from '#shared/models/bound.ts'
import { segment } from '#shared/models/attention/timeline.ts'
import { peakHbmBandwidth } from '#shared/models/memory/hbm.ts'
import { gemmRates } from '#shared/models/summa/gemm-rates.ts'
import { summaL1Bytes, type SummaShape } from '#shared/models/summa/summa-shape.ts'
import { summaTime, type SummaTime } from '#shared/models/summa/summa-time.ts'
import { summaTraffic, type SummaTraffic } from '#shared/models/summa/summa-traffic.ts'
import { breakdownComponents } from '#shared/results/attention-result.ts'
import type { GemmResult } from '#shared/results/gemm-result.ts'
import { durationOf } from '#shared/units/convert.ts'
import { cycles } from '#shared/units/quantity.ts'

/** The numbers of a GEMM with what they were made of. */
export interface SummaKernel {
  readonly result: GemmResult
  readonly shape: SummaShape
  readonly time: SummaTime
  readonly traffic: SummaTraffic
  /** All bytes at the peak of the channels, in cycles: no kernel is faster. */
  readonly floorCycles: number
}

/** The fastest of some grids; of equals the first. */
export function fastestSumma(
  shapes: readonly [SummaShape, ...SummaShape[]],
  chip: Chip,
): SummaKernel {
  const [first, ...others] = shapes
  return others.reduce(
    (best, shape) => {
      const kernel = summaKernel(shape, chip)
      return kernel.result.cycles < best.result.cycles ? kernel : best
    },
    summaKernel(first, chip),
  )
}

/**
 * Simulates one GEMM in phases.
 *
 * Every number is finite and none negative; utilisations are at most 1; the runtime is at least
 * useful FLOPs over peak and at least HBM bytes over peak.
 */
export function summaKernel(shape: SummaShape, chip: Chip): SummaKernel {
  const traffic = summaTraffic(shape)
  const time = summaTime(shape, chip)
  const peakHbm = peakHbmBandwidth(chip)
  const hbmBytes = traffic.xBytes + traffic.wBytes + traffic.zBytes
  const floorCycles = (hbmBytes / peakHbm) * chip.clock
  time.time.add(
    [segment('hbm', Math.max(0, floorCycles - time.time.total), 'wait for the channels')],
    'stores that are still under way',
  )
  const { components } = time.time
  return {
    shape,
    time,
    traffic,
    floorCycles,
    result: {
      ...gemmRates(cycles(time.time.total), { shape, traffic }, chip),
      executedFlops: traffic.executedFlops,
      hbmReadBytes: traffic.xBytes + traffic.wBytes,
      hbmWriteBytes: traffic.zBytes,
      l1PeakBytes: summaL1Bytes(shape, shape.outputBlocks, shape.workload.dtype),
      bound: boundOf(components),
      mapping: {
        tileM: shape.tileM,
        tileN: shape.tileN,
        tileK: shape.tileK,
        groupX: shape.groupX,
        groupY: shape.groupY,
        groups: shape.groups,
        split: shape.split,
        outputBlocks: shape.outputBlocks,
        steps: shape.steps,
      },
      breakdown: breakdownComponents
        .filter(component => component !== 'vector' && component !== 'max-reduction')
        .map(component => ({
          component,
          seconds: durationOf(cycles(components[component]), chip.clock),
        })),
    },
  }
}
