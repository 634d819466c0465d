import { elementBytes, type DataType } from '#shared/workload/attention.ts'
import type { Chip } from '#shared/hardware/chip.ts'
import type { KernelShape } from '#shared/models/attention/kernel-shape.ts'
import { matrixOperation, type MatrixEngineContext } from '#shared/models/engines/matrix-engine.ts'
import { transpose } from '#shared/models/engines/transpose-engine.ts'
import { softmaxSteps, type SoftmaxSteps } from '#shared/models/engines/vector-engine.ts'
import { bytes, cycles, type Bytes, type Cycles } from '#shared/units/quantity.ts'

/** What the steps of an attention kernel cost on one tile, whatever the dataflow. */
export interface TileCosts {
  readonly element: Bytes
  /** Scores = Q · Kᵀ, and output = P · V. */
  readonly scores: Cycles
  readonly output: Cycles
  readonly launch: Cycles
  readonly softmax: SoftmaxSteps
  /** Zero where K lies transposed in memory. */
  readonly keyTranspose: Cycles
  readonly clearScores: Cycles
  readonly clearOutput: Cycles
  readonly copyScores: Cycles
  readonly sync: Cycles
  readonly rowOperand: Bytes
  readonly columnOperand: Bytes
  readonly stateVector: Bytes
}

/** The slice of one tile: query rows × KV columns, with a head dimension and a data type. */
export interface TileSlice {
  readonly sliceRows: number
  readonly sliceCols: number
  readonly headDim: number
  readonly dtype: DataType
}

export function matrixContext(
  chip: Pick<Chip, 'matrixEngine' | 'l1' | 'artefacts'>,
  dtype: DataType,
): MatrixEngineContext {
  return {
    engine: chip.matrixEngine,
    l1Bandwidth: chip.l1.bandwidth,
    elementBytes: elementBytes(dtype),
    writesOutput: !(dtype === 'fp16' && chip.artefacts.fp16OmitsOutputTraffic),
  }
}

/** The costs of a tile of this kernel. */
export const sliceCosts = (shape: KernelShape, chip: Chip): TileCosts =>
  tileCosts(
    {
      sliceRows: shape.sliceRows,
      sliceCols: shape.sliceCols,
      headDim: shape.workload.headDim,
      dtype: shape.workload.dtype,
    },
    chip,
  )

export function tileCosts(slice: TileSlice, chip: Chip): TileCosts {
  const { sliceRows, sliceCols, headDim, dtype } = slice
  const element = elementBytes(dtype)
  const matrix = matrixContext(chip, dtype)
  const local = (size: number) => cycles(size / chip.l1.bandwidth + chip.control.dmaLocal)
  return {
    element,
    scores: matrixOperation({ rows: sliceRows, contraction: headDim, columns: sliceCols }, matrix),
    output: matrixOperation({ rows: sliceRows, contraction: sliceCols, columns: headDim }, matrix),
    launch: chip.matrixEngine.launch,
    softmax: softmaxSteps(sliceRows, sliceCols, headDim, {
      engine: chip.vectorEngine,
      elementBytes: element,
      partialRowsSkipped: chip.artefacts.partialVectorRowsSkipped,
    }),
    keyTranspose:
      chip.kernels.keyTranspose === 'engine'
        ? transpose(sliceCols, headDim, chip.l1.bandwidth, element)
        : cycles(0),
    clearScores: local(sliceRows * sliceCols * element),
    clearOutput: local(sliceRows * headDim * element),
    copyScores: local(sliceRows * sliceCols * element),
    sync: chip.control.tileSync,
    rowOperand: bytes(sliceRows * headDim * element),
    columnOperand: bytes(sliceCols * headDim * element),
    stateVector: bytes(sliceRows * element),
  }
}
