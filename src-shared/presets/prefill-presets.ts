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
import mhaPrefillD64S512B32 from '#resources/presets/workloads/mha-prefill-d64-s512-b32.json' with { type: 'json' }
import mhaPrefillD64S1024B32 from '#resources/presets/workloads/mha-prefill-d64-s1024-b32.json' with { type: 'json' }
import mhaPrefillD64S2048B32 from '#resources/presets/workloads/mha-prefill-d64-s2048-b32.json' with { type: 'json' }
import mhaPrefillD64S4096B32 from '#resources/presets/workloads/mha-prefill-d64-s4096-b32.json' with { type: 'json' }
import mhaPrefillD128S512B32 from '#resources/presets/workloads/mha-prefill-d128-s512-b32.json' with { type: 'json' }
import mhaPrefillD128S1024B32 from '#resources/presets/workloads/mha-prefill-d128-s1024-b32.json' with { type: 'json' }
import mhaPrefillD128S2048B32 from '#resources/presets/workloads/mha-prefill-d128-s2048-b32.json' with { type: 'json' }
import mhaPrefillD128S4096B32 from '#resources/presets/workloads/mha-prefill-d128-s4096-b32.json' with { type: 'json' }
import mhaPrefillD128S4096Causal from '#resources/presets/workloads/mha-prefill-d128-s4096-causal.json' with { type: 'json' }
import type { Preset } from '#shared/presets/preset.ts'
import { workloadSchema, type WorkloadConfig } from '#shared/schema/workload.ts'

/** Figs. 8, 9 and 12 of arXiv 2604.02110: prefill of 32 heads. */
export const prefillPresets: readonly Preset<WorkloadConfig>[] = [
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
  mhaPrefillD64S512B32,
  mhaPrefillD64S1024B32,
  mhaPrefillD64S2048B32,
  mhaPrefillD64S4096B32,
  mhaPrefillD128S512B32,
  mhaPrefillD128S1024B32,
  mhaPrefillD128S2048B32,
  mhaPrefillD128S4096B32,
  mhaPrefillD128S4096Causal,
].map(preset => ({ ...preset, config: workloadSchema.parse(preset.config) }))
