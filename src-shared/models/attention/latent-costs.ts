import type { Chip } from '#shared/hardware/chip.ts'
import type { KernelShape } from '#shared/models/attention/kernel-shape.ts'
import { latentChunks } from '#shared/models/attention/latent-chunks.ts'
import { matrixContext, sliceCosts, type TileCosts } from '#shared/models/attention/tile-costs.ts'
import { matrixOperation } from '#shared/models/engines/matrix-engine.ts'
import { transpose } from '#shared/models/engines/transpose-engine.ts'
import { softmaxSteps, type SoftmaxSteps } from '#shared/models/engines/vector-engine.ts'
import { bytes, cycles, type Bytes, type Cycles } from '#shared/units/quantity.ts'

/** A chunk of the contraction of the scores on one tile. */
export interface KeyChunkCosts {
  readonly width: number
  readonly matrix: Cycles
  /** Zero where K lies transposed in memory. */
  readonly transpose: Cycles
  readonly query: Bytes
  readonly key: Bytes
}

/** A chunk of the output on one tile. */
export interface ValueChunkCosts {
  readonly width: number
  readonly matrix: Cycles
  readonly rescale: Cycles
  readonly divide: Cycles
  readonly clear: Cycles
  readonly value: Bytes
  readonly output: Bytes
}

/** What the steps of absorbed MLA cost on one tile, chunk by chunk. */
export interface LatentCosts {
  readonly slice: TileCosts
  readonly keys: readonly KeyChunkCosts[]
  readonly values: readonly ValueChunkCosts[]
  /** Softmax of a slice on all vector engines of a tile, and on one of them. */
  readonly softmax: SoftmaxSteps
  readonly softmaxOfOneEngine: SoftmaxSteps
}

/**
 * The costs of the chunks of a slice: the matrix operations of `latentChunks`, the bytes that come and
 * go with them, and the steps of the vector engines.
 *
 * Source: the models of the engines.
 */
export function latentCosts(shape: KernelShape, chip: Chip): LatentCosts {
  const { workload, sliceRows, sliceCols } = shape
  const slice = sliceCosts(shape, chip)
  const { element } = slice
  const context = matrixContext(chip, workload.dtype)
  const chunks = latentChunks(workload)
  const softmaxOn = (count: number, width: number) =>
    softmaxSteps(sliceRows, sliceCols, width, {
      engine: { ...chip.vectorEngine, count },
      elementBytes: element,
      partialRowsSkipped: chip.artefacts.partialVectorRowsSkipped,
    })
  return {
    slice,
    keys: [...chunks.latent, ...chunks.rope].map(width => ({
      width,
      matrix: matrixOperation({ rows: sliceRows, contraction: width, columns: sliceCols }, context),
      transpose:
        chip.kernels.keyTranspose === 'engine'
          ? transpose(sliceCols, width, chip.l1.bandwidth, element)
          : cycles(0),
      query: bytes(sliceRows * width * element),
      key: bytes(sliceCols * width * element),
    })),
    values: chunks.latent.map(width => {
      const output = bytes(sliceRows * width * element)
      const { rescale, divide } = softmaxOn(chip.vectorEngine.count, width)
      return {
        width,
        matrix: matrixOperation(
          { rows: sliceRows, contraction: sliceCols, columns: width },
          context,
        ),
        rescale,
        divide,
        clear: cycles(output / chip.l1.bandwidth + chip.control.dmaLocal),
        value: bytes(sliceCols * width * element),
        output,
      }
    }),
    softmax: softmaxOn(chip.vectorEngine.count, sliceCols),
    softmaxOfOneEngine: softmaxOn(1, sliceCols),
  }
}
