import { cycles, type Bytes, type BytesPerCycle, type Cycles } from '#shared/units/quantity.ts'
import type { MatrixEngine } from '#shared/hardware/chip.ts'

/** Z[rows × columns] (+)= X[rows × contraction] · W[contraction × columns]. */
export interface MatrixShape {
  readonly rows: number
  readonly contraction: number
  readonly columns: number
}

export interface MatrixEngineContext {
  readonly engine: Pick<MatrixEngine, 'height' | 'width' | 'pipeline'>
  /** One line of this size is read from or written to L1 per cycle. */
  readonly l1Bandwidth: BytesPerCycle
  readonly elementBytes: Bytes
  /** Whether the result goes back to L1; the reference simulator leaves that out in FP16. */
  readonly writesOutput: boolean
}

/**
 * Busy cycles of one matrix operation.
 *
 *   T = 2·min(M, H) + Σ max(b, R) + W + max(1, S)
 *
 * M, N, K  shape.rows, contraction, columns
 * H        engine.height, rows of the array
 * W        engine.width · (pipeline + 1), results in flight per row
 * Nb       contraction elements of one L1 line
 * The sum runs over ⌈M/H⌉ · ⌈K/W⌉ · ⌈N/Nb⌉ inner steps, of which each lasts as long as the array
 *   (R = W · ⌈n·(pipeline+1)/W⌉ for a step of n elements) or as its L1 lines (b: n of W, the next
 *   X tile, in the last step of a tile the next Y, in its first the Z of the tile before).
 * S        rows of the last Z tile where the output is written, else 0
 *
 * Source: public RedMulE performance model (light_redmule in the gvsoc research branch of March
 *   2026); the formula is equal to its measured cycles for every shape in
 *   resources/published/matrix-engine-2026.json.
 * Holds when: nothing else uses L1 (the DMA and the vector engines add 0.1 to 0.5 %).
 * Checked by: test/src-shared/models/engines/matrix-engine.test.ts
 *
 * @returns 0 where one side of the shape is 0
 */
export function matrixOperation(shape: MatrixShape, context: MatrixEngineContext): Cycles {
  const { rows, contraction, columns } = shape
  if (rows <= 0 || contraction <= 0 || columns <= 0) return cycles(0)
  const { engine, writesOutput } = context
  const height = engine.height
  const width = engine.width * (engine.pipeline + 1)
  const lineElements = Math.max(1, Math.floor(context.l1Bandwidth / context.elementBytes))

  const rowTiles = Math.ceil(rows / height)
  const columnTiles = Math.ceil(columns / width)
  const lines = Math.ceil(contraction / lineElements)
  const lastLine = contraction - (lines - 1) * lineElements
  const lastRows = rows - (rowTiles - 1) * height

  /** Cycles of one inner step: the array or its L1 lines, whichever takes longer. */
  const step = (elements: number, xRows: number, yRows: number, zRows: number): number => {
    const array = width * Math.ceil((elements * (engine.pipeline + 1)) / width)
    return Math.max(elements + xRows + yRows + zRows, array)
  }
  /** Cycles of one output tile of `tileRows`; `next` rows follow, `previous` rows are written. */
  const tile = (tileRows: number, next: number, previous: number): number => {
    const z = writesOutput ? previous : 0
    if (lines === 1) return step(lastLine, next, next, z)
    return (
      step(lineElements, tileRows, 0, z) +
      (lines - 2) * step(lineElements, tileRows, 0, 0) +
      step(lastLine, next, next, 0)
    )
  }
  /** Cycles of a row of output tiles, between a row of `previous` and one of `next` rows. */
  const tileRow = (tileRows: number, next: number, previous: number): number =>
    columnTiles === 1
      ? tile(tileRows, next, previous)
      : tile(tileRows, tileRows, previous) +
        (columnTiles - 2) * tile(tileRows, tileRows, tileRows) +
        tile(tileRows, next, tileRows)

  let steps: number
  if (rowTiles === 1) {
    steps = tileRow(lastRows, 0, 0)
  } else {
    const middle = Math.max(0, rowTiles - 3) * tileRow(height, height, height)
    const first = tileRow(height, rowTiles === 2 ? lastRows : height, 0)
    const beforeLast = rowTiles === 2 ? 0 : tileRow(height, lastRows, height)
    steps = first + middle + beforeLast + tileRow(lastRows, 0, height)
  }
  const drain = width + Math.max(1, writesOutput ? lastRows : 0)
  return cycles(2 * Math.min(rows, height) + steps + drain)
}

/**
 * Cycles of a perfect array of the same size: as if every unit did useful work in each cycle.
 * Edge tiles are not rounded up; compare with `paddedMatrixOperation`.
 */
export function idealMatrixOperation(
  shape: MatrixShape,
  engine: Pick<MatrixEngine, 'height' | 'width'>,
): Cycles {
  return cycles((shape.rows * shape.contraction * shape.columns) / (engine.height * engine.width))
}

/**
 * Cycles of an array without pipeline, fill or memory that rounds rows up to its height and
 * columns to its width: what the edge tiles alone cost.
 */
export function paddedMatrixOperation(
  shape: MatrixShape,
  engine: Pick<MatrixEngine, 'height' | 'width'>,
): Cycles {
  const tiles = Math.ceil(shape.rows / engine.height) * Math.ceil(shape.columns / engine.width)
  return cycles(tiles * shape.contraction)
}
