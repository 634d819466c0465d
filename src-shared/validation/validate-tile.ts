import l1 from '#resources/published/fig11-l1-occupancy.json' with { type: 'json' }
import shapes from '#resources/published/matrix-engine-2026.json' with { type: 'json' }
import types from '#resources/published/matrix-engine-fp8-2026.json' with { type: 'json' }
import rtl from '#resources/published/redmule-rtl-calibration-12x4.json' with { type: 'json' }
import { l1Occupancy } from '#shared/models/attention/l1-occupancy.ts'
import { matrixOperation, type MatrixEngineContext } from '#shared/models/engines/matrix-engine.ts'
import { bytes, bytesPerCycle } from '#shared/units/quantity.ts'
import {
  compared,
  exactly,
  validationSet,
  type ValidationSet,
} from '#shared/validation/validation-set.ts'

/** The engine of all chip presets. */
const engine32x16 = (elementBytes: number, writesOutput: boolean): MatrixEngineContext => ({
  engine: { height: 32, width: 16, pipeline: 1 },
  l1Bandwidth: bytesPerCycle(512),
  elementBytes: bytes(elementBytes),
  writesOutput,
})

/** The engine of the RTL calibration: 16 L1 banks of 4 bytes. */
const engine12x4: MatrixEngineContext = {
  engine: { height: 12, width: 4, pipeline: 3 },
  l1Bandwidth: bytesPerCycle(64),
  elementBytes: bytes(2),
  writesOutput: true,
}

type Row = readonly number[]

const at = (row: Row, index: number): number => row[index] ?? Number.NaN
const shapeOf = (row: Row) => ({
  rows: at(row, 0),
  contraction: at(row, 1),
  columns: at(row, 2),
})
const shapeName = (row: Row) => row.slice(0, 3).join(' x ')

/** The matrix engine and L1: arithmetic that must be met exactly, and the older RTL calibration. */
export function validateTile(): ValidationSet[] {
  return [
    validationSet({
      id: 'matrix-engine-2026',
      title: 'Matrix engine 32 x 16, measured shapes',
      source: shapes.source,
      target: exactly,
      rows: shapes.rows.map(row =>
        compared(
          `${shapeName(row)}, ${String(at(row, 3))} B`,
          'cycles',
          matrixOperation(shapeOf(row), engine32x16(at(row, 3), false)),
          at(row, 4),
        ),
      ),
    }),
    validationSet({
      id: 'matrix-engine-fp8-2026',
      title: 'Matrix engine 32 x 16, FP16 and FP8',
      source: types.source,
      target: exactly,
      rows: types.rows.flatMap(row => [
        compared(
          `${shapeName(row)} FP16`,
          'cycles',
          matrixOperation(shapeOf(row), engine32x16(2, false)),
          at(row, 3),
        ),
        compared(
          `${shapeName(row)} FP8`,
          'cycles',
          matrixOperation(shapeOf(row), engine32x16(1, true)),
          at(row, 4),
        ),
      ]),
    }),
    validationSet({
      id: 'redmule-rtl-calibration-12x4',
      title: 'Matrix engine 12 x 4, RTL',
      source: rtl.source,
      // Another generation of the engine; its start-up cost is not in the published timing rules.
      target: { meanAbsoluteError: 0.01, largestError: 0.02 },
      rows: rtl.rows.map(row =>
        compared(shapeName(row), 'cycles', matrixOperation(shapeOf(row), engine12x4), at(row, 4)),
      ),
    }),
    validationSet({
      id: 'fig11-l1-occupancy',
      title: 'L1 occupancy against slice size',
      source: l1.source,
      target: exactly,
      rows: l1.rows.flatMap(row =>
        [128, 64].map((headDim, index) =>
          compared(
            `slice ${String(at(row, 0))}, D ${String(headDim)}`,
            'B',
            l1Occupancy(
              {
                sliceRows: at(row, 0),
                sliceCols: at(row, 0),
                dimensions: { score: headDim, value: headDim },
                dtype: 'fp16',
              },
              'flat-async',
            ),
            at(row, index + 1),
          ),
        ),
      ),
    }),
  ]
}
