import h800 from '#resources/presets/clusters/h800-ep144.json' with { type: 'json' }
import type { Preset } from '#shared/presets/preset.ts'
import { clusterSchema, type ClusterConfig } from '#shared/schema/cluster.ts'

/** Clusters of GPUs to hold wafers against. */
export const clusterPresets: readonly Preset<ClusterConfig>[] = [h800].map(preset => ({
  ...preset,
  config: clusterSchema.parse(preset.config),
}))
