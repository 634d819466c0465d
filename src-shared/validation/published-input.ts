import type { Dataflow } from '#shared/mapping/dataflow.ts'
import { chipPresets } from '#shared/presets/presets.ts'
import type { AttentionInput } from '#shared/schema/attention-input.ts'
import type { ChipConfig } from '#shared/schema/chip.ts'
import type { MappingConfig } from '#shared/schema/mapping.ts'
import { SCHEMA_VERSION } from '#shared/schema/schema-version.ts'
import type { WorkloadConfig } from '#shared/schema/workload.ts'

/** A square prefill without mask, as in all published figures, or the jobs of a recorded run. */
export interface PublishedCase {
  readonly chip: ChipConfig
  readonly dataflow: Dataflow
  readonly batch: number
  readonly heads: number
  readonly headDim: number
  readonly queryLength: number
  readonly kvLength: number
  readonly dtype?: WorkloadConfig['dtype']
  readonly mapping?: MappingConfig
}

/** @throws Error where there is no such preset: a mistake in the caller */
export function presetChip(id: string): ChipConfig {
  const preset = chipPresets.find(candidate => candidate.id === id)
  if (preset === undefined) throw new Error(`no chip preset ${id}`)
  return preset.config
}

/** The chip of arXiv 2604.02110 with another mesh and other channels on the south edge. */
export function meshOf(side: number, southChannels: number): ChipConfig {
  const chip = presetChip('flat-2026')
  return {
    ...chip,
    name: `${String(side)} x ${String(side)} tiles, ${String(southChannels)} channels`,
    tiles: { x: side, y: side },
    hbm: { ...chip.hbm, channels: { west: 0, north: 0, east: 0, south: southChannels } },
  }
}

export const publishedInput = (published: PublishedCase): AttentionInput => ({
  kind: 'attention',
  engine: 'phase',
  chip: published.chip,
  dataflow: published.dataflow,
  mapping: published.mapping ?? {},
  workload: {
    schemaVersion: SCHEMA_VERSION,
    name: 'published',
    variant: 'mha',
    phase: 'prefill',
    batch: published.batch,
    heads: published.heads,
    kvHeads: published.heads,
    headDim: published.headDim,
    queryLength: published.queryLength,
    kvLength: published.kvLength,
    speculativeLength: 1,
    causal: false,
    dtype: published.dtype ?? 'fp16',
  },
})
