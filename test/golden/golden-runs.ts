import { MODEL_VERSION } from '#shared/model-version.ts'
import { dataflowsOf } from '#shared/mapping/dataflow.ts'
import { chipPresets, workloadPresets } from '#shared/presets/presets.ts'
import type { AttentionInput } from '#shared/schema/attention-input.ts'
import { estimateAttention } from '#shared/simulate/run-attention.ts'
import { makeAttentionInput } from '#test/support/make-attention-input.ts'
import { makeNewDesign } from '#test/support/make-chip.ts'
import { makeWorkload } from '#test/support/make-workload.ts'

/** Numbers of one run; no text, so that a better wording is no new model. */
export type GoldenNumbers = Readonly<Record<string, number>>

export interface GoldenFile {
  readonly modelVersion: string
  readonly runs: Readonly<Record<string, GoldenNumbers>>
}

/** Presets with each other, and what no preset covers. */
function goldenInputs(): [string, AttentionInput][] {
  const workloads = ['mha-prefill-d128-s512', 'mha-prefill-d64-s4096', 'mha-prefill-d128-s4096']
  const ofPresets = chipPresets.flatMap(chip =>
    workloadPresets
      .filter(({ id }) => workloads.includes(id))
      .flatMap(workload =>
        dataflowsOf(makeWorkload()).map((dataflow): [string, AttentionInput] => [
          `${chip.id}, ${workload.id}, ${dataflow}`,
          makeAttentionInput({ chip: chip.config, workload: workload.config, dataflow }),
        ]),
      ),
  )
  const chip = makeNewDesign()
  const layer = makeWorkload({ batch: 2, heads: 32, kvHeads: 32 })
  const decode = makeWorkload({
    variant: 'gqa',
    phase: 'decode',
    batch: 128,
    heads: 32,
    kvHeads: 2,
    queryLength: 1,
    speculativeLength: 2,
    dtype: 'fp8',
  })
  const others: Readonly<Record<string, Partial<AttentionInput>>> = {
    causal: { workload: { ...layer, causal: true } },
    decode: { workload: decode },
    ragged: { workload: { ...layer, queryLength: 1000, kvLength: 777 } },
    'over-flattened': {
      workload: { ...layer, queryLength: 512, kvLength: 512 },
      mapping: { groupX: 32, groupY: 32 },
    },
    'odd mesh': { chip: { ...chip, tiles: { x: 7, y: 5 } }, workload: layer },
    'no keys': { workload: { ...layer, kvLength: 0 } },
  }
  return [
    ...ofPresets,
    ...Object.entries(others).flatMap(([name, changes]) =>
      dataflowsOf(makeWorkload()).map((dataflow): [string, AttentionInput] => [
        `new design, ${name}, ${dataflow}`,
        makeAttentionInput({ chip, ...changes, dataflow }),
      ]),
    ),
  ]
}

function numbersOf(input: AttentionInput): GoldenNumbers {
  const { result } = estimateAttention(input)
  return {
    cycles: result.cycles,
    matrixUtilization: result.matrixUtilization,
    matrixActiveUtilization: result.matrixActiveUtilization,
    hbmReadBytes: result.hbmReadBytes,
    hbmWriteBytes: result.hbmWriteBytes,
    nocBytes: result.nocBytes,
    executedFlops: result.executedFlops,
    l1PeakBytes: result.l1PeakBytes,
  }
}

/** What the models say now. */
export const goldenNow = (): GoldenFile => ({
  modelVersion: MODEL_VERSION,
  runs: Object.fromEntries(goldenInputs().map(([name, input]) => [name, numbersOf(input)])),
})
