import runs from '#resources/published/attention-runs-2026.json' with { type: 'json' }
import { dataflows, type Dataflow } from '#shared/mapping/dataflow.ts'
import type { AttentionResult } from '#shared/results/attention-result.ts'
import type { Engine } from '#shared/schema/engine-field.ts'
import { estimateAttention } from '#shared/simulate/run-attention.ts'
import { meshOf, publishedInput } from '#shared/validation/published-input.ts'
import { compared, validationSet, type ValidationSet } from '#shared/validation/validation-set.ts'

interface ReferenceRun {
  readonly name: string
  readonly dataflow: Dataflow
  readonly result: AttentionResult
  readonly cycles: number
  readonly hbmReadBytes: number | undefined
  readonly hbmWriteBytes: number | undefined
}

function referenceRuns(engine: Engine): ReferenceRun[] {
  return runs.rows.map(row => {
    const cell = (column: string) => row[runs.columns.indexOf(column)] ?? undefined
    const count = (column: string) => Number(cell(column))
    const optional = (column: string) => (cell(column) === undefined ? undefined : count(column))
    const dataflow = dataflows.find(id => id === cell('dataflow'))
    if (dataflow === undefined) throw new Error(`unknown dataflow ${String(cell('dataflow'))}`)
    const dtype = cell('dtype') === 'fp8' ? 'fp8' : 'fp16'
    const mesh = count('mesh')
    const { result } = estimateAttention({
      ...publishedInput({
        chip: meshOf(mesh, count('channels')),
        dataflow,
        batch: 1,
        heads: count('jobs'),
        headDim: count('headDim'),
        queryLength: count('queryRows'),
        kvLength: count('kvLength'),
        dtype,
        mapping: {
          groupX: count('groupX'),
          groupY: count('groupY'),
          sliceRows: count('sliceRows'),
          sliceCols: count('sliceCols'),
        },
      }),
      engine,
    })
    return {
      name:
        `${dataflow} ${String(mesh)}x${String(mesh)}, ${String(count('channels'))} ch, ` +
        `group ${String(count('groupX'))}x${String(count('groupY'))}, ${String(count('jobs'))} jobs ` +
        `of ${String(count('queryRows'))} x ${String(count('kvLength'))}, D ${String(count('headDim'))}, ${dtype}`,
      dataflow,
      result,
      cycles: count('cycles'),
      hbmReadBytes: optional('hbmReadBytes'),
      hbmWriteBytes: optional('hbmWriteBytes'),
    }
  })
}

/** Runs of the public cycle-level simulator: runtime and HBM traffic. */
export function validateReferenceRuns(engine: Engine): ValidationSet[] {
  const all = referenceRuns(engine)
  const runtime = (chosen: readonly Dataflow[]) =>
    all
      .filter(run => chosen.includes(run.dataflow))
      .map(run => compared(run.name, 'cycles', run.result.cycles, run.cycles))
  if (engine === 'event') {
    return [
      validationSet({
        id: 'flat-runs-event-2026',
        title: 'FlatHC and FlatAsync on the reference simulator, event engine',
        source: runs.source,
        target: { meanAbsoluteError: 0.03, largestError: 0.15 },
        rows: runtime(['flat-hc', 'flat-async']),
      }),
      validationSet({
        id: 'flash-runs-event-2026',
        title: 'FlashAttention-2 and -3 on the reference simulator, event engine',
        source: runs.source,
        target: { meanAbsoluteError: 0.06, largestError: 0.15 },
        rows: runtime(['fa2', 'fa3']),
      }),
      validationSet({
        id: 'software-collectives-runs-event-2026',
        title: 'FlatTC on the reference simulator, event engine',
        source: runs.source,
        target: { meanAbsoluteError: 0.06, largestError: 0.15 },
        rows: runtime(['flat-tc']),
      }),
    ]
  }
  return [
    validationSet({
      id: 'attention-runs-2026',
      title: 'FlashAttention, FlatHC and FlatAsync on the reference simulator',
      source: runs.source,
      target: { meanAbsoluteError: 0.06, largestError: 0.15 },
      rows: runtime(['fa2', 'fa3', 'flat-hc', 'flat-async']),
    }),
    validationSet({
      id: 'software-collectives-runs-2026',
      title: 'FlatTC on the reference simulator',
      source: runs.source,
      target: { meanAbsoluteError: 0.2, largestError: 0.2 },
      rows: runtime(['flat-tc']),
    }),
    validationSet({
      id: 'hbm-traffic-runs-2026',
      title: 'HBM traffic on the reference simulator',
      source: runs.source,
      target: { meanAbsoluteError: 0.02, largestError: 0.02 },
      rows: all.flatMap(run => {
        if (run.hbmReadBytes === undefined || run.hbmWriteBytes === undefined) return []
        return [
          compared(`${run.name}: read`, 'B', run.result.hbmReadBytes, run.hbmReadBytes),
          compared(`${run.name}: written`, 'B', run.result.hbmWriteBytes, run.hbmWriteBytes),
        ]
      }),
    }),
  ]
}
