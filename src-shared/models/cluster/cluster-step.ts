import type { GpuCluster } from '#shared/hardware/gpu-cluster.ts'
import type { RooflineKernel } from '#shared/models/cluster/cluster-kernels.ts'
import type { ClusterTerm } from '#shared/results/cluster-result.ts'
import type { DecodeKernelRow } from '#shared/results/decode-result.ts'
import type { DataType } from '#shared/workload/attention.ts'

/** One run of a kernel. */
export interface KernelParts {
  readonly mathSeconds: number
  readonly weightSeconds: number
  readonly cacheSeconds: number
  readonly seconds: number
}

/**
 * Time of one run of a kernel.
 *
 *   t_m = F / (ε_m · peak)      t_b = bytes / (ε_b · β)
 *   t   = t_m + t_b, or max(t_m, t_b) where loads hide behind the arithmetic
 *
 * ε  measured share of a peak: of GEMMs, of attention, of the memory    β  bandwidth of the memory
 *
 * Source: roofline model, S. Williams et al., 2009; the sum is its pessimistic end.
 * Checked by: test/src-shared/models/cluster/cluster-step.test.ts
 */
export function kernelParts(
  { flops, weightBytes, cacheBytes, isAttention }: RooflineKernel,
  { peak, hbm, efficiency, loadsHideBehindMath }: GpuCluster,
  dtype: DataType,
): KernelParts {
  const rate = isAttention
    ? efficiency.attention * peak.bf16
    : efficiency.matrix * (dtype === 'fp8' ? peak.fp8 : peak.bf16)
  const memory = efficiency.hbm * hbm.bandwidth
  const mathSeconds = flops / rate
  const weightSeconds = weightBytes / memory
  const cacheSeconds = cacheBytes / memory
  const loads = weightSeconds + cacheSeconds
  return {
    ...{ mathSeconds, weightSeconds, cacheSeconds },
    seconds: loadsHideBehindMath ? Math.max(mathSeconds, loads) : mathSeconds + loads,
  }
}

export interface TimedKernel {
  readonly kernel: RooflineKernel
  readonly parts: KernelParts
}

/** What all kernels of an iteration are spent on; the network apart. */
export function kernelTerms(timed: readonly TimedKernel[]): ClusterTerm[] {
  const sum = (of: (one: TimedKernel) => number) =>
    timed.reduce((total, one) => total + one.kernel.count * of(one), 0)
  const isCore = ({ kernel }: TimedKernel) => kernel.isAttention
  return [
    { term: 'weights', seconds: sum(({ parts }) => parts.weightSeconds) },
    { term: 'kv-cache', seconds: sum(({ parts }) => parts.cacheSeconds) },
    { term: 'matrix', seconds: sum(one => (isCore(one) ? 0 : one.parts.mathSeconds)) },
    { term: 'attention', seconds: sum(one => (isCore(one) ? one.parts.mathSeconds : 0)) },
  ]
}

/** The kernels as the table of a deployment has them; utilisations of the peaks, not of what is reached. */
export function clusterRows(
  timed: readonly TimedKernel[],
  { peak, hbm }: GpuCluster,
  dtype: DataType,
): DecodeKernelRow[] {
  const total = timed.reduce((sum, { kernel, parts }) => sum + kernel.count * parts.seconds, 0)
  return timed.map(({ kernel, parts }) => {
    const { name, count, isAttention } = kernel
    const bytes = kernel.weightBytes + kernel.cacheBytes
    const flopsPeak = isAttention || dtype !== 'fp8' ? peak.bf16 : peak.fp8
    const loads = parts.weightSeconds + parts.cacheSeconds
    return {
      ...{ name, count, stage: 0 },
      seconds: count * parts.seconds,
      share: (count * parts.seconds) / total,
      matrixUtilization: Math.min(1, kernel.flops / (flopsPeak * parts.seconds)),
      hbmBandwidthUtilization: Math.min(1, bytes / (hbm.bandwidth * parts.seconds)),
      flops: count * kernel.flops,
      hbmBytes: count * bytes,
      bound: parts.mathSeconds >= loads ? 'compute' : 'memory',
    }
  })
}

/** What one GPU sends to the experts of others, and they send back, in one layer. */
export interface ClusterMessages {
  readonly rows: number
  readonly topK: number
  /** GPUs that share the experts. */
  readonly expertParallel: number
  readonly dispatchBytes: number
  readonly combineBytes: number
}

/**
 * Dispatch and combine of one layer, where the network adapter of a GPU is the limit.
 *
 *   t = r·k·(E − 1)/E · s / (ε_n · β_n)
 *
 * r  rows    k  experts of a row    E  GPUs that share the experts: one in E goes to the GPU itself
 * s  bytes of a row    ε_n  share of the adapter's bandwidth β_n that is reached
 *
 * Source: C. Zhao et al., "Insights into DeepSeek-V3", arXiv 2505.09343, section 2.3.2.
 * Holds when: experts are chosen evenly, and all copies pass the adapter. Leaves out: links within a
 *   node, which carry some of them faster, and latency.
 * Checked by: test/src-shared/models/cluster/cluster-step.test.ts
 */
export function clusterExchange(messages: ClusterMessages, cluster: GpuCluster) {
  const { rows, topK, expertParallel, dispatchBytes, combineBytes } = messages
  const copies = (rows * topK * (expertParallel - 1)) / expertParallel
  const rate = cluster.efficiency.network * cluster.network
  return {
    dispatchSeconds: (copies * dispatchBytes) / rate,
    combineSeconds: (copies * combineBytes) / rate,
    bytesPerLayer: copies * (dispatchBytes + combineBytes),
  }
}
