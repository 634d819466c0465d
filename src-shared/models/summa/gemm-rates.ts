import { peakFlops, type Chip } from '#shared/hardware/chip.ts'
import { peakHbmBandwidth } from '#shared/models/memory/hbm.ts'
import type { SummaShape } from '#shared/models/summa/summa-shape.ts'
import type { SummaTraffic } from '#shared/models/summa/summa-traffic.ts'
import type { GemmResult } from '#shared/results/gemm-result.ts'
import { durationOf } from '#shared/units/convert.ts'
import type { Cycles } from '#shared/units/quantity.ts'
import { gemmFlops } from '#shared/workload/gemm.ts'

type GemmRates = Pick<
  GemmResult,
  | 'cycles'
  | 'seconds'
  | 'matrixUtilization'
  | 'usefulFlops'
  | 'hbmBandwidthUtilization'
  | 'peakFlopsPerSecond'
  | 'peakHbmBytesPerSecond'
>

/**
 * What follows from the runtime of a GEMM by definition, whichever engine it comes from: useful
 * FLOPs and HBM bytes over their peaks times the runtime. Both are at most 1.
 */
export function gemmRates(
  spent: Cycles,
  kernel: { readonly shape: SummaShape; readonly traffic: SummaTraffic },
  chip: Chip,
): GemmRates {
  const { xBytes, wBytes, zBytes } = kernel.traffic
  const seconds = durationOf(spent, chip.clock)
  const usefulFlops = gemmFlops(kernel.shape.workload)
  const peakFlopsPerSecond = peakFlops(chip)
  const peakHbmBytesPerSecond = peakHbmBandwidth(chip)
  const hbmBytes = xBytes + wBytes + zBytes
  return {
    cycles: spent,
    seconds,
    matrixUtilization: Math.min(1, usefulFlops / (peakFlopsPerSecond * seconds)),
    usefulFlops,
    hbmBandwidthUtilization: Math.min(1, hbmBytes / (peakHbmBytesPerSecond * seconds)),
    peakFlopsPerSecond,
    peakHbmBytesPerSecond,
  }
}
