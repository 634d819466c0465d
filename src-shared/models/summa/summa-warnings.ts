import { tileCount, type Chip } from '#shared/hardware/chip.ts'
import type { SummaKernel } from '#shared/models/summa/summa-kernel.ts'
import type { ResultWarning } from '#shared/results/warning.ts'
import { formatBytes, formatPercent } from '#shared/units/format.ts'
import { gemmCompulsoryBytes } from '#shared/workload/gemm.ts'

/** What the reader of a result should know about it. */
export function summaWarnings({ result, shape }: SummaKernel, chip: Chip): ResultWarning[] {
  const { workload } = shape
  const warnings: ResultWarning[] = []
  const warn = (code: ResultWarning['code'], message: string) => {
    warnings.push({ code, message })
  }
  if (result.executedFlops > result.usefulFlops) {
    warn(
      'padded-shape',
      `${formatPercent(result.executedFlops / result.usefulFlops - 1)} more FLOPs are executed than ` +
        'the result needs: padding of ragged blocks',
    )
  }
  const tiles = tileCount(chip)
  const idle = tiles - shape.activeGroups * shape.groupX * shape.groupY
  if (idle > 0) {
    warn(
      'idle-tiles',
      `${String(idle)} of ${String(tiles)} tiles have no work: ${String(shape.activeGroups)} active ` +
        `groups of ${String(shape.groupX)} × ${String(shape.groupY)}`,
    )
  }
  if (chip.artefacts.fp16OmitsOutputTraffic && workload.dtype === 'fp16') {
    warn(
      'reference-artefact',
      'counted as in the simulator behind the published figures: matrix results in FP16 are not written to L1',
    )
  }
  const needed = gemmCompulsoryBytes(workload)
  if (needed > chip.hbm.capacity) {
    warn(
      'memory-capacity',
      `X, W and Z take ${formatBytes(needed)}, more than the ${formatBytes(chip.hbm.capacity)} of HBM`,
    )
  }
  const rowBytes = Math.min(shape.tileK, shape.tileN) * (workload.dtype === 'fp16' ? 2 : 1)
  const outside = [
    tiles > 1024 || tiles < 16 ? `${String(tiles)} tiles` : '',
    rowBytes < chip.noc.flit / 4 ? `rows of ${String(rowBytes)} B, under a quarter of a flit` : '',
    chip.hbm.channels.south === 0 ? 'memory that is not on the south edge' : '',
  ].filter(text => text !== '')
  if (outside.length > 0) {
    warn(
      'outside-validated-regime',
      `no published measurement covers ${outside.join(', ')}; the model extrapolates`,
    )
  }
  return warnings
}
