import { applyOverride } from '#main/cli/override.ts'
import { readConfiguration } from '#main/cli/read-configuration.ts'
import type { ReadText } from '#main/cli/read-text.ts'
import { acceptanceOf, number, type DecodeOptions } from '#main/cli/resolve-decode.ts'
import { UsageError } from '#main/cli/usage-error.ts'
import { clusterPresets } from '#shared/presets/cluster-presets.ts'
import { withHonestName } from '#shared/presets/edited-name.ts'
import { modelPresets } from '#shared/presets/model-presets.ts'
import {
  clusterDeploymentSchema,
  clusterInputSchema,
  type ClusterInput,
} from '#shared/schema/cluster-input.ts'
import { clusterSchema } from '#shared/schema/cluster.ts'
import { issueLines } from '#shared/schema/issue-text.ts'
import { modelSchema } from '#shared/schema/model.ts'

const parts = {
  system: clusterSchema,
  model: modelSchema,
  deployment: clusterDeploymentSchema,
}

/** Options that say nothing about rooflines of GPUs. */
const unknownHere = ['attention', 'engine', 'layers', 'pp', 'routing'] as const

/**
 * The fully resolved deployment on a cluster of GPUs.
 *
 * What was not given on the command line is as the cluster's usual deployment.
 *
 * @param given the cluster, not checked
 * @param named options that were given, and not left at their defaults
 * @throws UsageError that names each field that is wrong, its value and what is allowed
 */
export async function resolveCluster(
  given: unknown,
  options: DecodeOptions,
  named: ReadonlySet<string>,
  read?: ReadText,
): Promise<ClusterInput> {
  const odd = unknownHere.find(option => named.has(option))
  if (odd !== undefined) {
    throw new UsageError(
      `--${odd}: is for systems of tile-based chips; ${options.system} is a GPU cluster, whose kernels are rooflines`,
    )
  }
  const model = await readConfiguration(options.model, 'model', modelPresets, read)
  const own = options.set.filter(assignment => assignment.trimStart().startsWith('deployment'))
  const described = override(
    { system: given, model },
    options.set.filter(assignment => !own.includes(assignment)),
  )
  const system = clusterSchema.safeParse(described.system)
  if (!system.success) {
    throw new UsageError(
      issueLines(system.error, described.system, { root: 'system', schema: clusterSchema }).join(
        '\n',
      ),
    )
  }
  const { usual } = system.data
  const chosen = (option: 'batch' | 'kv' | 'speculative', otherwise: number) =>
    named.has(option) ? number(option, options[option]) : otherwise
  const isEightBit =
    typeof described.model === 'object' &&
    described.model !== null &&
    'dtype' in described.model &&
    described.model.dtype === 'fp8'
  const deployment = {
    batchPerChip: chosen('batch', usual.batchPerChip),
    kvLength: chosen('kv', usual.kvLength),
    expertParallel: options.ep === undefined ? usual.expertParallel : number('ep', options.ep),
    redundantExperts: usual.redundantExperts,
    speculativeLength: chosen('speculative', usual.speculativeLength),
    acceptance: acceptanceOf(options.acceptance),
    dispatchFormat: isEightBit ? 'fp8' : 'bf16',
    combineFormat: 'bf16',
    communication: options.communication,
    kvLayout: isEightBit ? 'fp8' : 'bf16',
    ignoreCapacity: options.ignoreCapacity === true,
  }
  const candidate = { kind: 'cluster-decode', ...override({ ...described, deployment }, own) }
  const checked = clusterInputSchema.safeParse(candidate)
  if (!checked.success) {
    throw new UsageError(
      issueLines(checked.error, candidate, { schema: clusterInputSchema }).join('\n'),
    )
  }
  return {
    ...checked.data,
    system: withHonestName(checked.data.system, clusterPresets),
    model: withHonestName(checked.data.model, modelPresets),
  }
}

const override = (target: Record<string, unknown>, assignments: readonly string[]) =>
  assignments.reduce<Record<string, unknown>>(
    (changed, assignment) => applyOverride(changed, assignment, parts),
    target,
  )
