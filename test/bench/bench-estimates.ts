import { dataflowsOf } from '#shared/mapping/dataflow.ts'
import { chipPresets } from '#shared/presets/presets.ts'
import type { AttentionInput } from '#shared/schema/attention-input.ts'
import { estimateAttention } from '#shared/simulate/run-attention.ts'
import { elapsedMs, medianMs, type Measurement } from '#test/bench/measurement.ts'
import { makeAttentionInput } from '#test/support/make-attention-input.ts'
import { makeWorkload } from '#test/support/make-workload.ts'

const TARGET_MS = 0.2
const SWEEP_SIZE = 10_000

const layer = makeWorkload({ batch: 2, heads: 32, kvHeads: 32 })

/** One estimate of each dataflow, as the forms ask for while a person types. */
export const benchEstimates = (): Measurement[] =>
  dataflowsOf(layer).map(dataflow => {
    const input = makeAttentionInput({ workload: layer, dataflow })
    return {
      kind: 'measured',
      id: `estimate-${dataflow}`,
      title: `one estimate, ${dataflow}, D 128, S 4096, 32 x 32 tiles (median)`,
      value: medianMs(2000, () => estimateAttention(input)),
      unit: 'ms',
      target: TARGET_MS,
    }
  })

/** Shapes, dataflows and chips that change from one estimate to the next, the same in each run. */
function sweepInputs(): AttentionInput[] {
  return Array.from({ length: SWEEP_SIZE }, (_, index) => {
    const pick = <Choice>(choices: readonly Choice[], stride: number): Choice => {
      const choice = choices[Math.floor(index / stride) % choices.length]
      if (choice === undefined) throw new Error('nothing to choose from')
      return choice
    }
    const preset = pick(chipPresets, 6)
    const channels = { ...preset.config.hbm.channels, south: 8 + (index % 57) }
    return makeAttentionInput({
      dataflow: pick(dataflowsOf(layer), 1),
      chip: { ...preset.config, hbm: { ...preset.config.hbm, channels } },
      workload: {
        ...layer,
        headDim: pick([64, 128], 42),
        queryLength: 128 + (index % 4000),
        kvLength: 256 + ((index * 7) % 8000),
        batch: 1 + (index % 5),
      },
    })
  })
}

/** A sweep on one core: the estimates one after the other in this thread. */
export function benchSweep(): Measurement[] {
  const inputs = sweepInputs()
  const milliseconds = elapsedMs(() => {
    for (const input of inputs) estimateAttention(input)
  })
  return [
    {
      kind: 'measured',
      id: 'sweep',
      title: `sweep of ${SWEEP_SIZE.toLocaleString('en')} varied estimates on one core`,
      value: milliseconds / 1000,
      unit: 's',
    },
  ]
}
