import published from '#resources/published/h800-production-2025.json' with { type: 'json' }
import { clusterPresets } from '#shared/presets/cluster-presets.ts'
import { modelPresets } from '#shared/presets/model-presets.ts'
import type { ClusterInput } from '#shared/schema/cluster-input.ts'
import { estimateCluster } from '#shared/simulate/run-cluster.ts'
import { compared, validationSet, type ValidationSet } from '#shared/validation/validation-set.ts'

/** The production deployment of DeepSeek, or one that is changed from it. */
export function productionDeployment(
  change: Partial<ClusterInput['deployment']> = {},
): ClusterInput {
  const system = clusterPresets.find(({ id }) => id === 'h800-ep144')?.config
  const model = modelPresets.find(({ id }) => id === 'deepseek-v3-671b')?.config
  if (system === undefined || model === undefined) throw new Error('a preset is missing')
  return {
    kind: 'cluster-decode',
    ...{ system, model },
    deployment: {
      ...{ ...system.usual, acceptance: 0.7, dispatchFormat: 'fp8', combineFormat: 'bf16' },
      ...{ communication: 'barrier', kvLayout: 'fp8', ignoreCapacity: false },
      ...change,
    },
  }
}

/** DeepSeek's own decode cluster: the terms of its estimate, and what users see. */
export function validateCluster(): ValidationSet[] {
  const { result } = estimateCluster(productionDeployment())
  const none = estimateCluster(productionDeployment({ communication: 'none' })).result
  const milliseconds = (quantity: string): number => {
    if (quantity === 'iteration') return result.iterationSeconds * 1e3
    if (quantity === 'iteration without network') return none.iterationSeconds * 1e3
    return (result.terms.find(({ term }) => term === quantity)?.seconds ?? Number.NaN) * 1e3
  }
  return [
    validationSet({
      id: 'h800-estimate-2025',
      title: 'DeepSeek-v3-671B on 144 H800, terms of an iteration',
      source: published.source,
      target: { meanAbsoluteError: 0.01, largestError: 0.02 },
      rows: published.estimate.map(([quantity, value]) =>
        compared(String(quantity), 'ms', milliseconds(String(quantity)), Number(value)),
      ),
    }),
    validationSet({
      id: 'h800-production-2025',
      title: `${published.title}, as measured`,
      source: published.source,
      // Rooflines leave out launches and imbalance, and count no overlap: they need not cancel.
      target: { meanAbsoluteError: 0.1, largestError: 0.1 },
      rows: [compared('TPOT of a user', 'ms', result.tpotSeconds * 1e3, published.measuredMs)],
    }),
  ]
}
