import flat2025 from '#resources/presets/chips/flat-2025.json' with { type: 'json' }
import flat2026 from '#resources/presets/chips/flat-2026.json' with { type: 'json' }
import flat20264tb from '#resources/presets/chips/flat-2026-4tb.json' with { type: 'json' }
import flat2026Fp8 from '#resources/presets/chips/flat-2026-fp8.json' with { type: 'json' }
import collectives256b from '#resources/presets/chips/collectives-256b.json' with { type: 'json' }
import granularity16x16 from '#resources/presets/chips/granularity-16x16.json' with { type: 'json' }
import newDesign from '#resources/presets/chips/new-design.json' with { type: 'json' }
import granularity8x8 from '#resources/presets/chips/granularity-8x8.json' with { type: 'json' }
import {
  gqaDecodePresets,
  mhaDecodePresets,
  mlaDecodePresets,
} from '#shared/presets/decode-presets.ts'
import { prefillPresets } from '#shared/presets/prefill-presets.ts'
import type { Preset, PresetGroup } from '#shared/presets/preset.ts'
import { chipSchema, type ChipConfig } from '#shared/schema/chip.ts'
import type { WorkloadConfig } from '#shared/schema/workload.ts'

export const chipPresets: readonly Preset<ChipConfig>[] = [
  flat2025,
  flat2026,
  flat20264tb,
  flat2026Fp8,
  collectives256b,
  granularity16x16,
  granularity8x8,
  newDesign,
].map(preset => ({ ...preset, config: chipSchema.parse(preset.config) }))

export const chipPresetGroups: readonly PresetGroup<ChipConfig>[] = [
  { title: 'Chips of the papers', presets: chipPresets.filter(({ id }) => id !== newDesign.id) },
  { title: 'To begin a design with', presets: chipPresets.filter(({ id }) => id === newDesign.id) },
]

/** The shapes of the figures of arXiv 2604.02110, by kind. */
export const workloadPresetGroups: readonly PresetGroup<WorkloadConfig>[] = [
  { title: 'MHA prefill', presets: prefillPresets },
  { title: 'MHA decode', presets: mhaDecodePresets },
  { title: 'GQA decode', presets: gqaDecodePresets },
  { title: 'MLA decode', presets: mlaDecodePresets },
]

export const workloadPresets: readonly Preset<WorkloadConfig>[] = workloadPresetGroups.flatMap(
  ({ presets }) => presets,
)
