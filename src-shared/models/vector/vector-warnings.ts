import { tileCount, type Chip } from '#shared/hardware/chip.ts'
import type { VectorKernel } from '#shared/models/vector/vector-kernel.ts'
import type { ResultWarning } from '#shared/results/warning.ts'
import { formatBytes } from '#shared/units/format.ts'
import { elementBytes } from '#shared/workload/attention.ts'
import { tokenBytes, type VectorKernelId } from '#shared/workload/vector.ts'

/** What zeros change in the time of a kernel. */
const easierWithZeros: Readonly<Partial<Record<VectorKernelId, string>>> = {
  'rms-norm': 'the square root returns at once',
  rope: 'all positions are 0, so that all tiles read the same lines of the tables',
  'top-k': 'all scores are equal, so that no better one is sorted in',
}

/** What the reader of a vector kernel's result should know about it. */
export function vectorWarnings(
  { workload, timing, time }: VectorKernel,
  chip: Chip,
): ResultWarning[] {
  const { kernel, tokens, width, experts, topK, dtype, data } = workload
  const warnings: ResultWarning[] = []
  const warn = (code: ResultWarning['code'], message: string) => {
    warnings.push({ code, message })
  }
  const tiles = tileCount(chip)
  if (tokens < tiles) {
    warn('idle-tiles', `${String(tiles - tokens)} of ${String(tiles)} tiles have no token`)
  }
  if (timing === 'first-tile') {
    warn(
      'reference-artefact',
      'the time until tile 0 is through, as the timer of the public kernels shows it: it leaves out the last store, the slower tiles and a closing barrier',
    )
  }
  const easier = easierWithZeros[kernel]
  if (data === 'zeros' && easier !== undefined) {
    warn(
      'reference-artefact',
      `timed with zeros, as every recorded run: ${easier}; with workload.data=random it is not so`,
    )
  }
  const needed = tokens * (tokenBytes(workload).read + tokenBytes(workload).written)
  if (needed > chip.hbm.capacity) {
    warn(
      'memory-capacity',
      `the operands take ${formatBytes(needed)}, more than the ${formatBytes(chip.hbm.capacity)} of HBM`,
    )
  }
  const rowBytes = width * elementBytes(dtype)
  const outside = [
    kernel === 'dispatch' || kernel === 'combine' ? `the kernel ${kernel}` : '',
    kernel === 'top-k' && (experts !== 256 || topK !== 8)
      ? `a choice of ${String(topK)} of ${String(experts)}`
      : '',
    dtype === 'fp16' ? 'fp16' : '',
    tiles > 1024 || tiles < 256 ? `${String(tiles)} tiles` : '',
    time.rounds > 2 || (kernel === 'top-k' && time.rounds > 1)
      ? `${String(time.rounds)} tokens on a tile`
      : '',
    kernel !== 'top-k' && kernel !== 'dispatch' && (rowBytes < 64 || rowBytes > 8192)
      ? `rows of ${String(rowBytes)} B`
      : '',
    chip.hbm.channels.south === 0 ? 'memory that is not on the south edge' : '',
  ].filter(text => text !== '')
  if (outside.length > 0) {
    warn(
      'outside-validated-regime',
      `no measurement of a vector kernel covers ${outside.join(', ')}; the model extrapolates`,
    )
  }
  return warnings
}
