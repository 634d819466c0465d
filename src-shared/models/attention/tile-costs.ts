import {
  elementBytes,
  headDimensions,
  isAbsorbed,
  type DataType,
  type HeadDimensions,
} from '#shared/workload/attention.ts'
import type { Chip } from '#shared/hardware/chip.ts'
import type { KernelShape } from '#shared/models/attention/kernel-shape.ts'
import { sliceOperations } from '#shared/models/attention/slice-operations.ts'
import {
  matrixOperation,
  type MatrixEngineContext,
  type MatrixShape,
} from '#shared/models/engines/matrix-engine.ts'
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
  /** Slices of Q, K, V and O. */
  readonly query: Bytes
  readonly key: Bytes
  readonly value: Bytes
  readonly outputRows: Bytes
  readonly stateVector: Bytes
}

/** The slice of one tile: query rows × KV columns, with head dimensions and a data type. */
export interface TileSlice {
  readonly sliceRows: number
  readonly sliceCols: number
  readonly dimensions: HeadDimensions
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

/** The costs of a tile of this kernel; those of a matrix operation are the sum over its chunks. */
export function sliceCosts(shape: KernelShape, chip: Chip): TileCosts {
  const { sliceRows, sliceCols, workload } = shape
  const { dtype } = workload
  const slice = { sliceRows, sliceCols, dimensions: headDimensions(workload), dtype }
  const costs = tileCosts(slice, chip)
  if (!isAbsorbed(workload)) return costs
  const context = matrixContext(chip, dtype)
  const busy = (operations: readonly MatrixShape[]) =>
    cycles(operations.reduce((sum, operation) => sum + matrixOperation(operation, context), 0))
  const { scores, output } = sliceOperations(shape, workload)
  return { ...costs, scores: busy(scores), output: busy(output) }
}

export function tileCosts(slice: TileSlice, chip: Chip): TileCosts {
  const { sliceRows, sliceCols, dimensions, dtype } = slice
  const { score, value } = dimensions
  const element = elementBytes(dtype)
  const matrix = matrixContext(chip, dtype)
  const local = (size: number) => cycles(size / chip.l1.bandwidth + chip.control.dmaLocal)
  return {
    element,
    scores: matrixOperation({ rows: sliceRows, contraction: score, columns: sliceCols }, matrix),
    output: matrixOperation({ rows: sliceRows, contraction: sliceCols, columns: value }, matrix),
    launch: chip.matrixEngine.launch,
    softmax: softmaxSteps(sliceRows, sliceCols, value, {
      engine: chip.vectorEngine,
      elementBytes: element,
      partialRowsSkipped: chip.artefacts.partialVectorRowsSkipped,
    }),
    keyTranspose:
      chip.kernels.keyTranspose === 'engine'
        ? transpose(sliceCols, score, chip.l1.bandwidth, element)
        : cycles(0),
    clearScores: local(sliceRows * sliceCols * element),
    clearOutput: local(sliceRows * value * element),
    copyScores: local(sliceRows * sliceCols * element),
    sync: chip.control.tileSync,
    query: bytes(sliceRows * score * element),
    key: bytes(sliceCols * score * element),
    value: bytes(sliceCols * value * element),
    outputRows: bytes(sliceRows * value * element),
    stateVector: bytes(sliceRows * element),
  }
}
