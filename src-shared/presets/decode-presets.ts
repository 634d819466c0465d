import mhaDecodeD128Kv512Sp1 from '#resources/presets/workloads/mha-decode-d128-kv512-sp1.json' with { type: 'json' }
import mhaDecodeD128Kv512Sp2 from '#resources/presets/workloads/mha-decode-d128-kv512-sp2.json' with { type: 'json' }
import mhaDecodeD128Kv512Sp4 from '#resources/presets/workloads/mha-decode-d128-kv512-sp4.json' with { type: 'json' }
import mhaDecodeD128Kv1024Sp1 from '#resources/presets/workloads/mha-decode-d128-kv1024-sp1.json' with { type: 'json' }
import mhaDecodeD128Kv1024Sp2 from '#resources/presets/workloads/mha-decode-d128-kv1024-sp2.json' with { type: 'json' }
import mhaDecodeD128Kv1024Sp4 from '#resources/presets/workloads/mha-decode-d128-kv1024-sp4.json' with { type: 'json' }
import mhaDecodeD128Kv2048Sp1 from '#resources/presets/workloads/mha-decode-d128-kv2048-sp1.json' with { type: 'json' }
import mhaDecodeD128Kv2048Sp2 from '#resources/presets/workloads/mha-decode-d128-kv2048-sp2.json' with { type: 'json' }
import mhaDecodeD128Kv2048Sp4 from '#resources/presets/workloads/mha-decode-d128-kv2048-sp4.json' with { type: 'json' }
import mhaDecodeD128Kv4096Sp1 from '#resources/presets/workloads/mha-decode-d128-kv4096-sp1.json' with { type: 'json' }
import mhaDecodeD128Kv4096Sp2 from '#resources/presets/workloads/mha-decode-d128-kv4096-sp2.json' with { type: 'json' }
import mhaDecodeD128Kv4096Sp4 from '#resources/presets/workloads/mha-decode-d128-kv4096-sp4.json' with { type: 'json' }
import gqaDecodeD128Kv512Sp1 from '#resources/presets/workloads/gqa-decode-d128-kv512-sp1.json' with { type: 'json' }
import gqaDecodeD128Kv512Sp2 from '#resources/presets/workloads/gqa-decode-d128-kv512-sp2.json' with { type: 'json' }
import gqaDecodeD128Kv512Sp4 from '#resources/presets/workloads/gqa-decode-d128-kv512-sp4.json' with { type: 'json' }
import gqaDecodeD128Kv1024Sp1 from '#resources/presets/workloads/gqa-decode-d128-kv1024-sp1.json' with { type: 'json' }
import gqaDecodeD128Kv1024Sp2 from '#resources/presets/workloads/gqa-decode-d128-kv1024-sp2.json' with { type: 'json' }
import gqaDecodeD128Kv1024Sp4 from '#resources/presets/workloads/gqa-decode-d128-kv1024-sp4.json' with { type: 'json' }
import gqaDecodeD128Kv2048Sp1 from '#resources/presets/workloads/gqa-decode-d128-kv2048-sp1.json' with { type: 'json' }
import gqaDecodeD128Kv2048Sp2 from '#resources/presets/workloads/gqa-decode-d128-kv2048-sp2.json' with { type: 'json' }
import gqaDecodeD128Kv2048Sp4 from '#resources/presets/workloads/gqa-decode-d128-kv2048-sp4.json' with { type: 'json' }
import gqaDecodeD128Kv4096Sp1 from '#resources/presets/workloads/gqa-decode-d128-kv4096-sp1.json' with { type: 'json' }
import gqaDecodeD128Kv4096Sp2 from '#resources/presets/workloads/gqa-decode-d128-kv4096-sp2.json' with { type: 'json' }
import gqaDecodeD128Kv4096Sp4 from '#resources/presets/workloads/gqa-decode-d128-kv4096-sp4.json' with { type: 'json' }
import mlaDecodeKv128Sp1 from '#resources/presets/workloads/mla-decode-kv128-sp1.json' with { type: 'json' }
import mlaDecodeKv128Sp2 from '#resources/presets/workloads/mla-decode-kv128-sp2.json' with { type: 'json' }
import mlaDecodeKv128Sp4 from '#resources/presets/workloads/mla-decode-kv128-sp4.json' with { type: 'json' }
import mlaDecodeKv256Sp1 from '#resources/presets/workloads/mla-decode-kv256-sp1.json' with { type: 'json' }
import mlaDecodeKv256Sp2 from '#resources/presets/workloads/mla-decode-kv256-sp2.json' with { type: 'json' }
import mlaDecodeKv256Sp4 from '#resources/presets/workloads/mla-decode-kv256-sp4.json' with { type: 'json' }
import mlaDecodeKv512Sp1 from '#resources/presets/workloads/mla-decode-kv512-sp1.json' with { type: 'json' }
import mlaDecodeKv512Sp2 from '#resources/presets/workloads/mla-decode-kv512-sp2.json' with { type: 'json' }
import mlaDecodeKv512Sp4 from '#resources/presets/workloads/mla-decode-kv512-sp4.json' with { type: 'json' }
import mlaDecodeKv1024Sp1 from '#resources/presets/workloads/mla-decode-kv1024-sp1.json' with { type: 'json' }
import mlaDecodeKv1024Sp2 from '#resources/presets/workloads/mla-decode-kv1024-sp2.json' with { type: 'json' }
import mlaDecodeKv1024Sp4 from '#resources/presets/workloads/mla-decode-kv1024-sp4.json' with { type: 'json' }
import mlaDecodeKv2048Sp1 from '#resources/presets/workloads/mla-decode-kv2048-sp1.json' with { type: 'json' }
import mlaDecodeKv2048Sp2 from '#resources/presets/workloads/mla-decode-kv2048-sp2.json' with { type: 'json' }
import mlaDecodeKv2048Sp4 from '#resources/presets/workloads/mla-decode-kv2048-sp4.json' with { type: 'json' }
import mlaDecodeKv4096Sp1 from '#resources/presets/workloads/mla-decode-kv4096-sp1.json' with { type: 'json' }
import mlaDecodeKv4096Sp2 from '#resources/presets/workloads/mla-decode-kv4096-sp2.json' with { type: 'json' }
import mlaDecodeKv4096Sp4 from '#resources/presets/workloads/mla-decode-kv4096-sp4.json' with { type: 'json' }
import type { Preset } from '#shared/presets/preset.ts'
import { workloadSchema, type WorkloadConfig } from '#shared/schema/workload.ts'

/** Fig. 12 of arXiv 2604.02110: decode with a KV head for each query head. */
export const mhaDecodePresets: readonly Preset<WorkloadConfig>[] = [
  mhaDecodeD128Kv512Sp1,
  mhaDecodeD128Kv512Sp2,
  mhaDecodeD128Kv512Sp4,
  mhaDecodeD128Kv1024Sp1,
  mhaDecodeD128Kv1024Sp2,
  mhaDecodeD128Kv1024Sp4,
  mhaDecodeD128Kv2048Sp1,
  mhaDecodeD128Kv2048Sp2,
  mhaDecodeD128Kv2048Sp4,
  mhaDecodeD128Kv4096Sp1,
  mhaDecodeD128Kv4096Sp2,
  mhaDecodeD128Kv4096Sp4,
].map(preset => ({ ...preset, config: workloadSchema.parse(preset.config) }))

/** Fig. 12: decode with 16 query heads on each KV head. */
export const gqaDecodePresets: readonly Preset<WorkloadConfig>[] = [
  gqaDecodeD128Kv512Sp1,
  gqaDecodeD128Kv512Sp2,
  gqaDecodeD128Kv512Sp4,
  gqaDecodeD128Kv1024Sp1,
  gqaDecodeD128Kv1024Sp2,
  gqaDecodeD128Kv1024Sp4,
  gqaDecodeD128Kv2048Sp1,
  gqaDecodeD128Kv2048Sp2,
  gqaDecodeD128Kv2048Sp4,
  gqaDecodeD128Kv4096Sp1,
  gqaDecodeD128Kv4096Sp2,
  gqaDecodeD128Kv4096Sp4,
].map(preset => ({ ...preset, config: workloadSchema.parse(preset.config) }))

/** Fig. 12: decode of a latent KV that 128 heads share. */
export const mlaDecodePresets: readonly Preset<WorkloadConfig>[] = [
  mlaDecodeKv128Sp1,
  mlaDecodeKv128Sp2,
  mlaDecodeKv128Sp4,
  mlaDecodeKv256Sp1,
  mlaDecodeKv256Sp2,
  mlaDecodeKv256Sp4,
  mlaDecodeKv512Sp1,
  mlaDecodeKv512Sp2,
  mlaDecodeKv512Sp4,
  mlaDecodeKv1024Sp1,
  mlaDecodeKv1024Sp2,
  mlaDecodeKv1024Sp4,
  mlaDecodeKv2048Sp1,
  mlaDecodeKv2048Sp2,
  mlaDecodeKv2048Sp4,
  mlaDecodeKv4096Sp1,
  mlaDecodeKv4096Sp2,
  mlaDecodeKv4096Sp4,
].map(preset => ({ ...preset, config: workloadSchema.parse(preset.config) }))
