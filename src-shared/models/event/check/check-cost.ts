import { tensorElements } from '#shared/models/event/check/attention-tensors.ts'
import { elementsOfSequence } from '#shared/models/event/check/latent-buffers.ts'
import { elementsOfSet } from '#shared/models/event/check/tile-buffers.ts'
import { headDimensions, isAbsorbed } from '#shared/workload/attention.ts'
import type { KernelShape } from '#shared/models/attention/kernel-shape.ts'

/** What executing a kernel on real numbers takes. */
export interface CheckCost {
  /** Of the programs, with the padding of their blocks; the exact reference takes no more. */
  readonly flops: number
  /** Buffers of all tiles, and the tensors. */
  readonly bytes: number
  /** Column blocks, each counted for every tile that computes a part of it. */
  readonly tileBlocks: number
}

/**
 * A few seconds on one core: JavaScript computes about 1 GFLOP/s and handles about a million events
 * per second, of which a tile needs some 30 for a column block.
 */
export const CHECK_LIMITS: CheckCost = {
  flops: 2 ** 32,
  bytes: 2 ** 29,
  tileBlocks: 2 ** 18,
}

const BYTES_OF_DOUBLE = 8

/** Each buffer may have a second block for a while, and O is there twice. */
const COPIES = 2

export function checkCost(shape: KernelShape, sets: 1 | 2): CheckCost {
  const { groupX, groupY, sliceRows, sliceCols, columnBlocks, activeGroups, workload } = shape
  const { score, value } = headDimensions(workload)
  const tiles = activeGroups * groupX * groupY
  const buffers =
    tiles * sets * (isAbsorbed(workload) ? elementsOfSequence(shape) : elementsOfSet(shape))
  return {
    flops: 2 * (score + value) * groupX * sliceCols * groupY * sliceRows * columnBlocks,
    bytes: BYTES_OF_DOUBLE * COPIES * (buffers + tensorElements(workload)),
    tileBlocks: columnBlocks * groupX * groupY,
  }
}

/** The first limit that a cost exceeds. */
export const exceededLimit = (cost: CheckCost): keyof CheckCost | undefined =>
  (['flops', 'bytes', 'tileBlocks'] as const).find(kind => cost[kind] > CHECK_LIMITS[kind])
