import type { GpuCluster } from '#shared/hardware/gpu-cluster.ts'
import { MODEL_VERSION } from '#shared/model-version.ts'
import { clusterKernels } from '#shared/models/cluster/cluster-kernels.ts'
import {
  clusterExchange,
  clusterRows,
  kernelParts,
  kernelTerms,
  type TimedKernel,
} from '#shared/models/cluster/cluster-step.ts'
import { acceptedTokens } from '#shared/models/decode/accepted-tokens.ts'
import { tokenBytes } from '#shared/models/wafer/token-message.ts'
import type { ClusterResult } from '#shared/results/cluster-result.ts'
import { resolveCluster } from '#shared/schema/cluster.ts'
import type { ClusterDocument, ClusterInput } from '#shared/schema/cluster-input.ts'
import { resolveModel } from '#shared/schema/model.ts'
import { SCHEMA_VERSION } from '#shared/schema/schema-version.ts'
import { clusterWarnings } from '#shared/simulate/cluster-warnings.ts'
import { explainCluster } from '#shared/simulate/explain-cluster.ts'
import { InfeasibleError } from '#shared/simulate/simulation.ts'
import { formatBytes } from '#shared/units/format.ts'
import {
  kvBytesPerLayer,
  layersWithExperts,
  type DecoderModel,
} from '#shared/workload/decoder-model.ts'

/**
 * One iteration of a model on a cluster of GPUs, by rooflines.
 *
 *   barrier  T = Σ t_kernel + L_e · (t_dispatch + t_combine)
 *   overlap  T = max(2 · Σ t_kernel(b/2), L_e · (t_dispatch + t_combine))
 *   none     T = Σ t_kernel
 *
 * L_e  layers with experts    b  batch of a GPU
 *
 * Source: J. Austin et al., "How to Scale Your Model", 2025, for the sum; two micro-batches as in
 *   arXiv 2412.19437, section 3.4.
 * Leaves out: launches, imbalance of the experts, sampling, MTP modules.
 * Checked by: test/published/cluster.test.ts
 *
 * @throws InfeasibleError where weights and cache do not fit on a GPU
 */
export function estimateCluster(input: ClusterInput): ClusterDocument {
  const cluster = resolveCluster(input.system)
  const model = resolveModel(input.model)
  const memory = clusterMemory(input, model, cluster)
  if (memory.missingBytes > 0 && !input.deployment.ignoreCapacity) {
    throw new InfeasibleError(tooLarge(memory))
  }
  const result = { ...clusterRates(input, model, cluster), memory }
  const reading = { input, model, result }
  return {
    ...{ schemaVersion: SCHEMA_VERSION, modelVersion: MODEL_VERSION, input, result },
    explanation: explainCluster(reading),
    warnings: clusterWarnings(reading),
  }
}

const localExperts = ({ deployment }: ClusterInput, { experts }: DecoderModel): number =>
  experts.routed === 0
    ? 0
    : Math.ceil((experts.routed + deployment.redundantExperts) / deployment.expertParallel)

function timedKernels(
  input: ClusterInput,
  model: DecoderModel,
  cluster: GpuCluster,
  batch: number,
): TimedKernel[] {
  const { speculativeLength, kvLength, kvLayout } = input.deployment
  const { readsWholeEmbedding } = cluster
  return clusterKernels(model, {
    ...{ batch, speculativeLength, kvLength, kvLayout, readsWholeEmbedding },
    localExperts: localExperts(input, model),
  }).map(kernel => ({ kernel, parts: kernelParts(kernel, cluster, model.dtype) }))
}

const sumOf = (timed: readonly TimedKernel[]): number =>
  timed.reduce((sum, { kernel, parts }) => sum + kernel.count * parts.seconds, 0)

function clusterRates(
  input: ClusterInput,
  model: DecoderModel,
  cluster: GpuCluster,
): Omit<ClusterResult, 'memory'> {
  const { deployment } = input
  const { batchPerChip, speculativeLength, expertParallel, communication } = deployment
  const timed = timedKernels(input, model, cluster, batchPerChip)
  const exchange = clusterExchange(
    {
      ...{ rows: batchPerChip * speculativeLength, topK: model.experts.topK, expertParallel },
      dispatchBytes: tokenBytes(model.hidden, deployment.dispatchFormat),
      combineBytes: tokenBytes(model.hidden, deployment.combineFormat),
    },
    cluster,
  )
  const moeLayers = layersWithExperts(model)
  const network = moeLayers * (exchange.dispatchSeconds + exchange.combineSeconds)
  const overlaps = communication === 'overlap'
  const kernelSeconds = overlaps
    ? 2 * sumOf(timedKernels(input, model, cluster, Math.ceil(batchPerChip / 2)))
    : sumOf(timed)
  const exposedSeconds =
    communication === 'none' ? 0 : overlaps ? Math.max(0, network - kernelSeconds) : network
  const iterationSeconds = kernelSeconds + exposedSeconds
  const tokensPerIteration = acceptedTokens(speculativeLength, deployment.acceptance)
  const sequencesInFlight =
    Math.floor(cluster.gpus / expertParallel) * expertParallel * batchPerChip
  const systemTokensPerSecond = (sequencesInFlight * tokensPerIteration) / iterationSeconds
  return {
    ...{ iterationSeconds, tokensPerIteration, sequencesInFlight, systemTokensPerSecond },
    tpotSeconds: iterationSeconds / tokensPerIteration,
    tokensPerSecondPerUser: tokensPerIteration / iterationSeconds,
    tokensPerSecondPerChip: systemTokensPerSecond / cluster.gpus,
    layerSeconds: iterationSeconds / model.layers,
    fits: clusterMemory(input, model, cluster).missingBytes === 0,
    terms: [...kernelTerms(timed), { term: 'all-to-all', seconds: network }],
    kernels: clusterRows(timed, cluster, model.dtype),
    communication: { ...exchange, exposedSeconds },
  }
}

/** Everything is on every GPU but the routed experts, which are shared, and the sequences. */
function clusterMemory(
  input: ClusterInput,
  model: DecoderModel,
  cluster: GpuCluster,
): ClusterResult['memory'] {
  const { batchPerChip, kvLength, kvLayout } = input.deployment
  const whole = { ...cluster, readsWholeEmbedding: true }
  const weightsBytes = timedKernels(input, model, whole, 1).reduce(
    (sum, { kernel }) => sum + kernel.count * kernel.weightBytes,
    0,
  )
  const kvCacheBytesPerSequence = kvLength * model.layers * kvBytesPerLayer(model, kvLayout)
  const kvCacheBytes = batchPerChip * kvCacheBytesPerSequence
  const totalBytes = weightsBytes + kvCacheBytes
  const capacityBytes = cluster.hbm.capacity
  return {
    ...{ weightsBytes, kvCacheBytes, kvCacheBytesPerSequence, totalBytes, capacityBytes },
    missingBytes: Math.max(0, totalBytes - capacityBytes),
  }
}

function tooLarge(memory: ClusterResult['memory']): string {
  const { weightsBytes, kvCacheBytes, capacityBytes, missingBytes } = memory
  const batch = Math.floor((capacityBytes - weightsBytes) / memory.kvCacheBytesPerSequence)
  const way =
    batch >= 1 ? `batchPerChip ${String(batch)}` : 'no batch; share the experts of more GPUs'
  return (
    `deployment: does not fit, ${formatBytes(missingBytes)} are missing on each GPU: ` +
    `${formatBytes(weightsBytes)} of weights and ${formatBytes(kvCacheBytes)} of KV cache, but ` +
    `system.gpu.hbmCapacityGiB gives ${formatBytes(capacityBytes)}; nearest that fits: ${way}; ` +
    'deployment.ignoreCapacity true times it all the same'
  )
}
