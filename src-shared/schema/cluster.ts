import type { GpuCluster } from '#shared/hardware/gpu-cluster.ts'
import {
  countField,
  nameField,
  quantityField,
  section,
  switchField,
} from '#shared/schema/quantity-field.ts'
import { SCHEMA_VERSION } from '#shared/schema/schema-version.ts'
import { z } from '#shared/schema/zod.ts'
import { fromGBps, fromGiB } from '#shared/units/convert.ts'

const share = (label: string, help: string) =>
  quantityField({ label, unit: '1', help }, { min: 0.01, max: 1 })
const rate = (label: string, unit: string, help: string) =>
  quantityField({ label, unit, help }, { min: 0.1, max: 1_000_000 })

/** A cluster of GPUs as it stands in a file: peaks, and what share of them is reached. */
export const clusterSchema = z
  .strictObject({
    schemaVersion: z.literal(SCHEMA_VERSION),
    kind: z.literal('gpu-cluster'),
    name: nameField,
    gpus: countField(
      { label: 'GPUs', unit: 'GPUs', help: 'Of the whole cluster.' },
      { min: 1, max: 65_536 },
    ),
    gpu: section(
      { label: 'GPU', help: 'Peaks of one of them, without sparsity.' },
      {
        fp8Tflops: rate('FP8', 'TFLOPS', 'Dense.'),
        bf16Tflops: rate('BF16', 'TFLOPS', 'Dense; attention computes so.'),
        hbmGBps: rate('HBM', 'GB/s', 'Peak bandwidth (10^9 bytes per second).'),
        hbmCapacityGiB: rate('HBM capacity', 'GiB', 'For weights and KV cache.'),
      },
    ),
    networkGBps: rate('Network', 'GB/s', "Of one GPU's adapter, in each direction."),
    efficiency: section(
      { label: 'Efficiency', help: 'Measured shares of the peaks.' },
      {
        matrix: share('GEMMs', 'Of the peak FLOP rate.'),
        attention: share('Attention', 'Of the peak BF16 rate.'),
        hbm: share('HBM', 'Of the peak bandwidth.'),
        network: share('Network', 'Of the bandwidth of the adapter.'),
      },
    ),
    loadsHideBehindMath: switchField({
      label: 'Loads hide behind math',
      help: 'A kernel takes the longer of both; off: one after the other, an estimate from above.',
    }),
    readsWholeEmbedding: switchField({
      label: 'Reads whole embedding',
      help: 'As estimates count that take all parameters; off: the rows of the tokens.',
    }),
    usual: section(
      { label: 'Usual deployment', help: 'What holds where nothing else is said.' },
      {
        batchPerChip: countField(
          { label: 'Batch', unit: 'sequences', help: 'Of a GPU.' },
          { min: 1, max: 65_536 },
        ),
        kvLength: countField(
          { label: 'KV length', unit: 'tokens', help: 'Of each sequence.' },
          { min: 1, max: 16_777_216 },
        ),
        expertParallel: countField(
          { label: 'Expert parallel', unit: 'GPUs', help: 'GPUs that share the experts.' },
          { min: 1, max: 65_536 },
        ),
        redundantExperts: countField(
          { label: 'Redundant experts', unit: 'copies', help: 'Further copies in each layer.' },
          { min: 0, max: 65_536 },
        ),
        speculativeLength: countField(
          { label: 'Speculative length', unit: 'tokens', help: 'Tokens of an iteration.' },
          { min: 1, max: 64 },
        ),
      },
    ),
  })
  .meta({ title: 'Tessera GPU cluster' })

export type ClusterConfig = z.infer<typeof clusterSchema>

/** The one place where a cluster's JSON units become SI quantities. */
export const resolveCluster = (config: ClusterConfig): GpuCluster => ({
  gpus: config.gpus,
  peak: { fp8: config.gpu.fp8Tflops * 1e12, bf16: config.gpu.bf16Tflops * 1e12 },
  hbm: {
    bandwidth: fromGBps(config.gpu.hbmGBps),
    capacity: fromGiB(config.gpu.hbmCapacityGiB),
  },
  network: fromGBps(config.networkGBps),
  efficiency: config.efficiency,
  loadsHideBehindMath: config.loadsHideBehindMath,
  readsWholeEmbedding: config.readsWholeEmbedding,
})
