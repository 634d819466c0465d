import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import measured from '#resources/published/matrix-engine-2026.json' with { type: 'json' }
import measuredFp8 from '#resources/published/matrix-engine-fp8-2026.json' with { type: 'json' }
import {
  idealMatrixOperation,
  matrixOperation,
  paddedMatrixOperation,
  type MatrixEngineContext,
  type MatrixShape,
} from '#shared/models/engines/matrix-engine.ts'
import { bytes, bytesPerCycle } from '#shared/units/quantity.ts'

const engine = { height: 32, width: 16, pipeline: 1 }
const context = (elementBytes: number, writesOutput: boolean): MatrixEngineContext => ({
  engine,
  l1Bandwidth: bytesPerCycle(512),
  elementBytes: bytes(elementBytes),
  writesOutput,
})
const fp16 = context(2, false)
const fp8 = context(1, true)

const shape = (rows: number, contraction: number, columns: number): MatrixShape => ({
  rows,
  contraction,
  columns,
})

/** The timing rules, step by step over all tiles: what the closed form must add up to. */
function stepByStep(
  { rows, contraction, columns }: MatrixShape,
  { engine: array, l1Bandwidth, elementBytes, writesOutput }: MatrixEngineContext,
): number {
  const width = array.width * (array.pipeline + 1)
  const line = Math.floor(l1Bandwidth / elementBytes)
  const steps: { tileRows: number; elements: number; first: boolean; last: boolean }[] = []
  for (let row = 0; row < rows; row += array.height) {
    for (let column = 0; column < columns; column += width) {
      for (let start = 0; start < contraction; start += line) {
        steps.push({
          tileRows: Math.min(array.height, rows - row),
          elements: Math.min(line, contraction - start),
          first: start === 0,
          last: start + line >= contraction,
        })
      }
    }
  }
  const busy = steps.map(({ elements, first, last }, index) => {
    const next = steps[index + 1]?.tileRows ?? 0
    const previous = steps[index - 1]?.tileRows ?? 0
    const lines = elements + next + (last ? next : 0) + (first && writesOutput ? previous : 0)
    const cyclesOfArray = width * Math.ceil((elements * (array.pipeline + 1)) / width)
    return Math.max(lines, cyclesOfArray)
  })
  const stored = writesOutput ? (steps.at(-1)?.tileRows ?? 0) : 0
  const sum = busy.reduce((total, cycles) => total + cycles, 0)
  return 2 * Math.min(rows, array.height) + sum + width + Math.max(1, stored)
}

describe('busy cycles of the matrix engine', () => {
  test.each(measured.rows)(
    'are those measured for %d × %d × %d with elements of %d bytes',
    (rows, contraction, columns, elementBytes, cycles) => {
      const operation = shape(rows, contraction, columns)
      expect(matrixOperation(operation, context(elementBytes, false))).toBe(cycles)
    },
  )

  test.each(measuredFp8.rows)(
    'are those measured for %d × %d × %d in both data types',
    (rows, contraction, columns, fp16Cycles, fp8Cycles) => {
      const operation = shape(rows, contraction, columns)
      expect(matrixOperation(operation, fp16)).toBe(fp16Cycles)
      expect(matrixOperation(operation, fp8)).toBe(fp8Cycles)
    },
  )

  test.each([shape(0, 128, 128), shape(128, 0, 128), shape(128, 128, 0)])(
    'are zero where one side is zero: %o',
    operation => {
      expect(matrixOperation(operation, fp16)).toBe(0)
    },
  )

  const side = fc.integer({ min: 1, max: 300 })
  const anyContext = fc
    .record({
      height: fc.integer({ min: 1, max: 40 }),
      width: fc.integer({ min: 1, max: 20 }),
      pipeline: fc.integer({ min: 0, max: 4 }),
      line: fc.integer({ min: 2, max: 512 }),
      elementBytes: fc.constantFrom(1, 2),
      writesOutput: fc.boolean(),
    })
    .map(({ height, width, pipeline, line, elementBytes, writesOutput }) => ({
      engine: { height, width, pipeline },
      l1Bandwidth: bytesPerCycle(line),
      elementBytes: bytes(elementBytes),
      writesOutput,
    }))

  test('are the sum of the steps for any shape and any engine', () => {
    fc.assert(
      fc.property(side, side, side, anyContext, (rows, contraction, columns, anyEngine) => {
        const operation = shape(rows, contraction, columns)
        expect(matrixOperation(operation, anyEngine)).toBe(stepByStep(operation, anyEngine))
      }),
      { numRuns: 300 },
    )
  })

  test('are more than those of a perfect array', () => {
    fc.assert(
      fc.property(side, side, side, anyContext, (rows, contraction, columns, anyEngine) => {
        const operation = shape(rows, contraction, columns)
        expect(matrixOperation(operation, anyEngine)).toBeGreaterThan(
          idealMatrixOperation(operation, anyEngine.engine),
        )
      }),
    )
  })

  test('do not fall when a side grows', () => {
    fc.assert(
      fc.property(side, side, side, anyContext, (rows, contraction, columns, anyEngine) => {
        const cycles = matrixOperation(shape(rows, contraction, columns), anyEngine)
        const larger = [
          shape(rows + 1, contraction, columns),
          shape(rows, contraction + 1, columns),
          shape(rows, contraction, columns + 1),
        ].map(operation => matrixOperation(operation, anyEngine))
        expect(Math.min(...larger)).toBeGreaterThanOrEqual(cycles)
      }),
    )
  })
})

describe('edge tiles of a 32 × 16 array, without fill', () => {
  const utilization = (operation: MatrixShape) =>
    idealMatrixOperation(operation, engine) / paddedMatrixOperation(operation, engine)

  test('128 × 128 × 128 takes 4096 cycles at 100 %', () => {
    expect(paddedMatrixOperation(shape(128, 128, 128), engine)).toBe(4096)
    expect(utilization(shape(128, 128, 128))).toBe(1)
  })

  test('33 × 17 results of 128 products take 512 cycles at 27.39 %', () => {
    const operation = shape(33, 128, 17)
    expect(paddedMatrixOperation(operation, engine)).toBe(512)
    expect(utilization(operation) * 100).toBeCloseTo(27.39, 2)
  })

  test('a single row of 16 results uses 3.125 %', () => {
    expect(utilization(shape(1, 128, 16)) * 100).toBe(3.125)
  })
})
