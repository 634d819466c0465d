import flat2025 from '#resources/presets/chips/flat-2025.json' with { type: 'json' }
import flat2026 from '#resources/presets/chips/flat-2026.json' with { type: 'json' }
import flat20264tb from '#resources/presets/chips/flat-2026-4tb.json' with { type: 'json' }
import flat2026Fp8 from '#resources/presets/chips/flat-2026-fp8.json' with { type: 'json' }
import collectives256b from '#resources/presets/chips/collectives-256b.json' with { type: 'json' }
import granularity16x16 from '#resources/presets/chips/granularity-16x16.json' with { type: 'json' }
import newDesign from '#resources/presets/chips/new-design.json' with { type: 'json' }
import granularity8x8 from '#resources/presets/chips/granularity-8x8.json' with { type: 'json' }
import mhaPrefillD64S512 from '#resources/presets/workloads/mha-prefill-d64-s512.json' with { type: 'json' }
import mhaPrefillD64S1024 from '#resources/presets/workloads/mha-prefill-d64-s1024.json' with { type: 'json' }
import mhaPrefillD64S2048 from '#resources/presets/workloads/mha-prefill-d64-s2048.json' with { type: 'json' }
import mhaPrefillD64S4096 from '#resources/presets/workloads/mha-prefill-d64-s4096.json' with { type: 'json' }
import mhaPrefillD128S512 from '#resources/presets/workloads/mha-prefill-d128-s512.json' with { type: 'json' }
import mhaPrefillD128S1024 from '#resources/presets/workloads/mha-prefill-d128-s1024.json' with { type: 'json' }
import mhaPrefillD128S2048 from '#resources/presets/workloads/mha-prefill-d128-s2048.json' with { type: 'json' }
import mhaPrefillD128S4096 from '#resources/presets/workloads/mha-prefill-d128-s4096.json' with { type: 'json' }
import mhaPrefillD128S512B4 from '#resources/presets/workloads/mha-prefill-d128-s512-b4.json' with { type: 'json' }
import mhaPrefillD128S1024B4 from '#resources/presets/workloads/mha-prefill-d128-s1024-b4.json' with { type: 'json' }
import mhaPrefillD128S2048B4 from '#resources/presets/workloads/mha-prefill-d128-s2048-b4.json' with { type: 'json' }
import mhaPrefillD128S4096B4 from '#resources/presets/workloads/mha-prefill-d128-s4096-b4.json' with { type: 'json' }
import mhaPrefillD128S4096Causal from '#resources/presets/workloads/mha-prefill-d128-s4096-causal.json' with { type: 'json' }
import { chipSchema, type ChipConfig } from '#shared/schema/chip.ts'
import { workloadSchema, type WorkloadConfig } from '#shared/schema/workload.ts'

/** A configuration that comes with the app; its numbers are from `source`. */
export interface Preset<Config> {
  readonly id: string
  readonly title: string
  readonly description: string
  readonly source: string
  readonly config: Config
}

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

export const workloadPresets: readonly Preset<WorkloadConfig>[] = [
  mhaPrefillD64S512,
  mhaPrefillD64S1024,
  mhaPrefillD64S2048,
  mhaPrefillD64S4096,
  mhaPrefillD128S512,
  mhaPrefillD128S1024,
  mhaPrefillD128S2048,
  mhaPrefillD128S4096,
  mhaPrefillD128S512B4,
  mhaPrefillD128S1024B4,
  mhaPrefillD128S2048B4,
  mhaPrefillD128S4096B4,
  mhaPrefillD128S4096Causal,
].map(preset => ({ ...preset, config: workloadSchema.parse(preset.config) }))
