import { chipPresets, workloadPresets } from '#shared/presets/presets.ts'
import type { AttentionDocument } from '#shared/schema/attention-document.ts'
import {
  runInputs,
  type AttentionInput,
  type ExperimentSpec,
} from '#shared/schema/attention-input.ts'
import { estimateAttention } from '#shared/simulate/run-attention.ts'

const preset = <Config>(presets: readonly { id: string; config: Config }[], id: string): Config => {
  const found = presets.find(one => one.id === id)
  if (found === undefined) throw new Error(`there is no preset ${id}`)
  return found.config
}

/** A small experiment: one dataflow, unless more are given. */
export function makeSpec(changes: Partial<ExperimentSpec> = {}): ExperimentSpec {
  return {
    name: 'Trial',
    chip: preset(chipPresets, 'flat-2025'),
    workload: preset(workloadPresets, 'mha-prefill-d64-s512'),
    mapping: {},
    dataflows: ['fa3'],
    ...changes,
  }
}

/** The same with another batch, so that its runs are other runs. */
export function makeSpecOfBatch(batch: number, changes: Partial<ExperimentSpec> = {}) {
  const spec = makeSpec(changes)
  return { ...spec, workload: { ...spec.workload, batch } }
}

/** The same with another name of the workload: the stand-in worker acts by it. */
export function makeSpecNamed(workloadName: string, batch = 2): ExperimentSpec {
  const spec = makeSpecOfBatch(batch)
  return { ...spec, workload: { ...spec.workload, name: workloadName } }
}

export function makeInput(spec: ExperimentSpec = makeSpec()): AttentionInput {
  const [input] = runInputs(spec)
  if (input === undefined) throw new Error('the experiment has no runs')
  return input
}

export const makeDocument = (spec?: ExperimentSpec): AttentionDocument =>
  estimateAttention(makeInput(spec))
