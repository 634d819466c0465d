import { tileCount, type Chip } from '#shared/hardware/chip.ts'
import type { Dataflow } from '#shared/mapping/dataflow.ts'
import { isFlash } from '#shared/mapping/dataflow.ts'
import type { AttentionKernel } from '#shared/models/attention/attention-kernel.ts'
import type { KernelShape } from '#shared/models/attention/kernel-shape.ts'
import { preferredSlice } from '#shared/models/attention/preferred-slice.ts'
import { VECTOR_ROW_UNROLL } from '#shared/models/constants.ts'
import type { ResultWarning } from '#shared/results/warning.ts'
import { formatBytes, formatPercent } from '#shared/units/format.ts'
import {
  compulsoryBytes,
  deepSeekDimensions,
  isAbsorbed,
  latentDimensions,
  type AttentionWorkload,
  type LatentDimensions,
} from '#shared/workload/attention.ts'

/** What the reader of a result should know about it. */
export function attentionWarnings(
  dataflow: Dataflow,
  kernel: AttentionKernel,
  chip: Chip,
): ResultWarning[] {
  const { shape, result } = kernel
  const { workload } = shape
  const warnings: ResultWarning[] = []
  const warn = (code: ResultWarning['code'], message: string) => {
    warnings.push({ code, message })
  }

  if (result.executedFlops > result.usefulFlops && result.usefulFlops > 0) {
    const overhead = result.executedFlops / result.usefulFlops - 1
    warn(
      'padded-shape',
      `${formatPercent(overhead)} more FLOPs are executed than the result needs: ` +
        (workload.causal
          ? 'padding of ragged blocks and the masked part of the blocks on the diagonal'
          : 'padding of ragged blocks'),
    )
  }
  const idle = tileCount(chip) - shape.activeGroups * shape.groupX * shape.groupY
  if (idle > 0) {
    warn(
      'idle-tiles',
      `${String(idle)} of ${String(tileCount(chip))} tiles have no work: ` +
        `${String(shape.activeGroups)} active groups of ${String(shape.groupX)} × ${String(shape.groupY)}` +
        raggedMesh(shape, chip),
    )
  }
  const preferred = preferredSlice(workload, dataflow, chip, isFlash(dataflow) ? 1 : shape.groupX)
  // Where one tile spans the group already, no smaller group could widen the slice.
  const isOverFlattened =
    (shape.groupY > 1 && shape.sliceRows < preferred / 2) ||
    (shape.groupX > 1 && shape.sliceCols < preferred / 2)
  if (!isFlash(dataflow) && isOverFlattened) {
    warn(
      'over-flattened',
      `slices of ${String(shape.sliceRows)} × ${String(shape.sliceCols)} are far below ` +
        `${String(preferred)} × ${String(preferred)}: a smaller group would keep the matrix engine busier`,
    )
  }
  if (dataflow === 'flat-async' && shape.jobsPerGroup % 2 === 1) {
    warn(
      'unpaired-job',
      shape.jobsPerGroup === 1
        ? 'one head job per group: it has no partner to overlap with'
        : `${String(shape.jobsPerGroup)} head jobs per group: the last one has no partner to overlap with`,
    )
  }
  const artefacts = activeArtefacts(dataflow, shape, chip)
  if (artefacts.length > 0) {
    warn(
      'reference-artefact',
      `counted as in the simulator behind the published figures: ${artefacts.join('; ')}`,
    )
  }
  const needed = compulsoryBytes(workload)
  if (needed > chip.hbm.capacity) {
    warn(
      'memory-capacity',
      `Q, K, V and O take ${formatBytes(needed)}, more than the ${formatBytes(chip.hbm.capacity)} of HBM`,
    )
  }
  const outside = outsideValidation(dataflow, workload, chip)
  if (outside.length > 0) {
    warn(
      'outside-validated-regime',
      `no published measurement covers ${outside.join(', ')}; the model extrapolates`,
    )
  }
  return warnings
}

/** The artefacts that are switched on and change this kernel. */
function activeArtefacts(dataflow: Dataflow, shape: KernelShape, chip: Chip): string[] {
  const { artefacts, vectorEngine } = chip
  const { workload, sliceRows } = shape
  const rowsOfEngine = Math.ceil(sliceRows / vectorEngine.count)
  return [
    artefacts.fp16OmitsOutputTraffic && workload.dtype === 'fp16'
      ? 'matrix results in FP16 are not written to L1'
      : '',
    artefacts.partialVectorRowsSkipped && rowsOfEngine % VECTOR_ROW_UNROLL !== 0
      ? `of ${String(rowsOfEngine)} ${rowsOfEngine === 1 ? 'row' : 'rows'} of a vector engine those beyond a multiple of 16 are skipped`
      : '',
    artefacts.causalMaskIgnored && workload.causal ? 'masked blocks are computed' : '',
    artefacts.rescaleDimensionsSwapped &&
    dataflow === 'flat-async' &&
    !isAbsorbed(workload) &&
    shape.innerIterations > 1 &&
    workload.headDim !== sliceRows
      ? 'one of two rescale steps swaps its dimensions'
      : '',
  ].filter(text => text !== '')
}

/** Says so where the group does not divide the mesh: the tiles that are left over never work. */
function raggedMesh({ groupX, groupY }: KernelShape, { tiles }: Chip): string {
  if (tiles.x % groupX === 0 && tiles.y % groupY === 0) return ''
  return `, which do not divide the mesh of ${String(tiles.x)} × ${String(tiles.y)}`
}

/** In which respects a workload or a chip lies outside what was compared with measurements. */
function outsideValidation(dataflow: Dataflow, workload: AttentionWorkload, chip: Chip): string[] {
  const { variant, phase, headDim } = workload
  const isMeasuredDecode =
    isAbsorbed(workload) ||
    (['mha', 'gqa'].includes(variant) && ['flat-async', 'flat-hc'].includes(dataflow))
  const isDeepSeek = Object.entries(latentDimensions(workload)).every(
    ([field, value]) => value === deepSeekDimensions[field as keyof LatentDimensions],
  )
  return [
    variant !== 'mha' && !(phase === 'decode' && isMeasuredDecode) ? `variant ${variant}` : '',
    phase === 'decode' && !isMeasuredDecode ? `decode with ${dataflow}` : '',
    dataflow === 'flash-mla-fair' ? 'FlashMLA on all tiles' : '',
    workload.causal ? 'a causal mask' : '',
    variant !== 'mla' && ![64, 128].includes(headDim) ? `head dimension ${String(headDim)}` : '',
    variant === 'mla' && !isDeepSeek ? 'other dimensions than those of DeepSeek' : '',
    tileCount(chip) > 1024 || tileCount(chip) < 16 ? `${String(tileCount(chip))} tiles` : '',
  ].filter(text => text !== '')
}
