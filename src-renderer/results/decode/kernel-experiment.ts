import { decodeDataflow } from '#shared/mapping/decode-dataflow.ts'
import { experimentSpecSchema, type ExperimentSpec } from '#shared/schema/attention-input.ts'
import type { DecodeInput } from '#shared/schema/decode-input.ts'
import { resolveModel } from '#shared/schema/model.ts'
import { SCHEMA_VERSION } from '#shared/schema/schema-version.ts'
import { attentionCalls } from '#shared/workload/decode-kernels.ts'

const mostLetters = 120

/**
 * A kernel of a deployment as an experiment of its own: the chip of the system, the shape of the
 * kernel and its dataflow. With overlap a layer with experts computes half the batch at once; a
 * drafting module takes one new token of each sequence.
 *
 * @param kernel as it is named in the table of kernels
 * @returns undefined where the kernel is none of attention: the Lab has no other
 */
export function kernelExperiment(input: DecodeInput, kernel: string): ExperimentSpec | undefined {
  const { system, deployment } = input
  const model = resolveModel(input.model)
  const isDraft = kernel.startsWith(draftPrefix)
  const isHalved = deployment.communication === 'overlap' && model.experts.routed > 0 && !isDraft
  const { batchPerChip, kvLength } = deployment
  const tokens = {
    batch: isHalved ? Math.ceil(batchPerChip / 2) : batchPerChip,
    speculativeLength: isDraft ? 1 : deployment.speculativeLength,
    kvLength,
  }
  const name = isDraft ? kernel.slice(draftPrefix.length) : kernel
  const call = attentionCalls(model, tokens).find(candidate => candidate.name === name)
  if (call?.kernel.kind !== 'attention') return undefined
  const { workload } = call.kernel
  const title = `${input.model.name}, ${kernel}, batch ${String(tokens.batch)}, KV ${String(kvLength)}`
  return experimentSpecSchema.safeParse({
    name: `${title} on ${system.chip.name}`.slice(0, mostLetters),
    chip: system.chip,
    workload: {
      schemaVersion: SCHEMA_VERSION,
      name: title.slice(0, mostLetters),
      ...workload,
    },
    mapping: {},
    dataflows: [decodeDataflow(deployment.attention, workload)],
  }).data
}

const draftPrefix = 'draft: '
