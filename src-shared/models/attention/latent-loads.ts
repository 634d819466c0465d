import type { Chip } from '#shared/hardware/chip.ts'
import { isFlashMla, type Dataflow } from '#shared/mapping/dataflow.ts'
import type { KernelShape } from '#shared/models/attention/kernel-shape.ts'
import type { ClosedRows } from '#shared/models/attention/closed-rows.ts'
import { latentChunks } from '#shared/models/attention/latent-chunks.ts'
import { loadedSlices } from '#shared/models/attention/loaded-slices.ts'
import { flitsOf } from '#shared/models/collectives/hardware-collectives.ts'
import {
  allChannels,
  concurrentLoad,
  concurrentStore,
  operandHome,
  type ConcurrentLoad,
} from '#shared/models/memory/hbm.ts'
import { bytes, type Cycles } from '#shared/units/quantity.ts'
import { elementBytes, headDimensions } from '#shared/workload/attention.ts'

/** HBM times of one chunk of absorbed MLA by its width, all groups at once. */
export interface LatentLoads {
  readonly query: (width: number) => Cycles
  /** All of Q at once, where a tile keeps it. */
  readonly wholeQuery: Cycles
  readonly key: (width: number) => Cycles
  readonly value: (width: number) => Cycles
  readonly outputStore: (width: number) => Cycles
}

/**
 * HBM times when `concurrentGroups` load or store a chunk at the same time. In FlatAttention one
 * tile of each row of a group loads Q and stores O and one of each column loads K and V; in FlashMLA
 * every tile loads for itself, and of a row of tiles that split KV one stores.
 *
 * A chunk is a part of each of its rows, so that the DMA issues it row by row, unless it is the
 * whole row; K that lies transposed has a row for each element of the chunk.
 */
export function latentLoads(
  dataflow: Dataflow,
  shape: KernelShape,
  concurrentGroups: number,
  chip: Chip,
  closed: ClosedRows,
): LatentLoads {
  const { workload, groupX, groupY, sliceRows, sliceCols } = shape
  const element = elementBytes(workload.dtype)
  const { latent } = latentChunks(workload)
  const isCut = latent.length > 1
  const slices = loadedSlices(shape)
  const load = (
    operand: 'row' | 'column',
    perGroup: number,
    elements: number,
    dmaRows: number,
    closedRows: number,
  ): ConcurrentLoad => {
    const home = isFlashMla(dataflow) ? allChannels(chip) : operandHome(operand, chip)
    const loaders = concurrentGroups * perGroup
    const lines = home.axis === 'row' ? chip.tiles.y : chip.tiles.x
    const { mean, largest } = slices[operand]
    const size = elements * element
    return {
      home,
      loaders,
      loadersPerLine: Math.ceil(loaders / lines),
      bytesPerLoader: bytes(size * mean),
      flitsPerLoader: flitsOf(bytes(size * largest), chip),
      meanFlitsPerLoader: flitsOf(bytes(size * mean), chip),
      dmaRows: Math.ceil(dmaRows * mean),
      closedRows,
    }
  }
  const queryLoaders = isFlashMla(dataflow) ? groupX : groupY
  const outputLoaders = isFlashMla(dataflow) ? 1 : groupY
  const rowsOf = (rows: number) => (isCut ? rows : 1)
  const isTransposed = chip.kernels.keyTranspose === 'in-memory'
  return {
    query: width =>
      concurrentLoad(
        load('row', queryLoaders, sliceRows * width, rowsOf(sliceRows), closed.query),
        chip,
      ),
    wholeQuery: concurrentLoad(
      load('row', queryLoaders, sliceRows * headDimensions(workload).score, 1, closed.query),
      chip,
    ),
    key: width =>
      concurrentLoad(
        load(
          'column',
          groupX,
          sliceCols * width,
          isTransposed ? width : rowsOf(sliceCols),
          closed.key,
        ),
        chip,
      ),
    value: width =>
      concurrentLoad(
        load('column', groupX, sliceCols * width, rowsOf(sliceCols), closed.value),
        chip,
      ),
    outputStore: width =>
      concurrentStore(load('row', outputLoaders, sliceRows * width, rowsOf(sliceRows), 0), chip),
  }
}
