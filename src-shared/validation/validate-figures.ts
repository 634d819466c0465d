import fig8 from '#resources/published/fig8-dataflows-2025.json' with { type: 'json' }
import fig9 from '#resources/published/fig9-group-scale-2025.json' with { type: 'json' }
import { dataflows, isFlash, type Dataflow } from '#shared/mapping/dataflow.ts'
import type { AttentionResult } from '#shared/results/attention-result.ts'
import type { Engine } from '#shared/schema/engine-field.ts'
import { estimateAttention } from '#shared/simulate/run-attention.ts'
import { presetChip, publishedInput } from '#shared/validation/published-input.ts'
import {
  compared,
  comparedInPoints,
  validationSet,
  type ValidationSet,
} from '#shared/validation/validation-set.ts'

/** The figures of the 2025 paper, on the chip preset of that paper with its default mapping. */
export function validateFigures(engine: Engine): ValidationSet[] {
  const rows8 = fig8.rows.map(row => {
    const dataflow = dataflows.find(id => id === row[0])
    if (dataflow === undefined) throw new Error(`unknown dataflow ${String(row[0])}`)
    const [, headDim, length, total] = row.map(Number)
    return figure8Row(engine, dataflow, headDim ?? 0, length ?? 0, total ?? 0, Number(row.at(-1)))
  })
  const rows9 = fig9.rows.map(row => {
    const [length = 0, group = 0, , total = 0] = row
    return figure9Row(engine, length, group, total, row.at(-1) ?? 0)
  })
  if (engine === 'event') {
    const target = { meanAbsoluteError: 0.08, largestError: 0.25 }
    return [
      validationSet({
        id: 'fig8-dataflows-event-2025',
        title: 'Dataflows of 2025, FlatSC included, event engine',
        source: fig8.source,
        target,
        rows: rows8.map(row => row.runtime),
      }),
      validationSet({
        id: 'fig9-group-scale-event-2025',
        title: 'Group scale of 2025: runtime of FlatAsync, event engine',
        source: fig9.source,
        target,
        rows: rows9.map(row => row.runtime),
      }),
    ]
  }
  const withHardware = rows8.filter(row => row.dataflow !== 'flat-sc')
  return [
    validationSet({
      id: 'fig8-dataflows-2025',
      title: 'Dataflows of 2025: FlashAttention-2, -3, FlatHC, FlatAsync',
      source: fig8.source,
      target: { meanAbsoluteError: 0.1, largestError: 0.2 },
      rows: withHardware.map(row => row.runtime),
    }),
    validationSet({
      id: 'fig8-software-collectives-2025',
      title: 'Dataflows of 2025: FlatSC',
      source: fig8.source,
      target: { meanAbsoluteError: 0.2, largestError: 0.3 },
      rows: rows8.filter(row => row.dataflow === 'flat-sc').map(row => row.runtime),
    }),
    validationSet({
      id: 'fig8-hbm-traffic-2025',
      title: 'Dataflows of 2025: HBM traffic',
      source: fig8.source,
      target: { meanAbsoluteError: 0.02, largestError: 0.02 },
      rows: rows8.map(row => row.traffic),
    }),
    validationSet({
      id: 'fig9-group-scale-2025',
      title: 'Group scale of 2025: runtime of FlatAsync',
      source: fig9.source,
      target: { meanAbsoluteError: 0.1, largestError: 0.2 },
      rows: rows9.map(row => row.runtime),
    }),
    validationSet({
      id: 'fig9-matrix-active-2025',
      title: 'Group scale of 2025: matrix utilisation while active',
      source: fig9.source,
      target: { meanAbsoluteError: 0.02, largestError: 0.02 },
      rows: rows9.map(row => row.active),
    }),
  ]
}

/** One kernel on the chip of 2025 with 32 heads. */
function simulate(
  engine: Engine,
  dataflow: Dataflow,
  shape: { readonly batch: number; readonly headDim: number; readonly length: number },
  group: number,
): AttentionResult {
  const input = publishedInput({
    chip: presetChip('flat-2025'),
    dataflow,
    batch: shape.batch,
    heads: 32,
    headDim: shape.headDim,
    queryLength: shape.length,
    kvLength: shape.length,
    mapping: isFlash(dataflow) ? {} : { groupX: group, groupY: group },
  })
  return estimateAttention({ ...input, engine }).result
}

function figure8Row(
  engine: Engine,
  dataflow: Dataflow,
  headDim: number,
  length: number,
  totalNs: number,
  trafficMB: number,
) {
  const result = simulate(engine, dataflow, { batch: 2, headDim, length }, 32)
  const name = `${dataflow}, D ${String(headDim)}, S ${String(length)}`
  const traffic = (result.hbmReadBytes + result.hbmWriteBytes) / 1e6
  return {
    dataflow,
    runtime: compared(name, 'µs', result.seconds * 1e6, totalNs / 1e3),
    traffic: compared(name, 'MB', traffic, trafficMB),
  }
}

function figure9Row(
  engine: Engine,
  length: number,
  group: number,
  totalNs: number,
  activePercent: number,
) {
  const result = simulate(engine, 'flat-async', { batch: 4, headDim: 128, length }, group)
  const name = `S ${String(length)}, group ${String(group)}x${String(group)}`
  return {
    runtime: compared(name, 'µs', result.seconds * 1e6, totalNs / 1e3),
    active: comparedInPoints(name, result.matrixActiveUtilization * 100, activePercent),
  }
}
