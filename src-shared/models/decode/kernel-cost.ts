import type { Bound } from '#shared/results/attention-result.ts'
import type { DecodeKernelRow } from '#shared/results/decode-result.ts'
import type { KernelCall } from '#shared/workload/decode-kernels.ts'

/** One run of a kernel. */
export interface KernelCost {
  readonly seconds: number
  readonly flops: number
  readonly hbmBytes: number
  readonly bound: Bound
}

/** Times a kernel alone on a chip. */
export type KernelTimer = (call: KernelCall) => KernelCost

/** Peaks that utilisations are measured against. */
export interface ChipPeaks {
  readonly flopsPerSecond: number
  readonly hbmBytesPerSecond: number
}

export const secondsOf = (calls: readonly KernelCall[], timer: KernelTimer): number =>
  calls.reduce((sum, call) => sum + call.count * timer(call).seconds, 0)

/**
 * The rows of a stage's table: calls with the same name together, in the order of the first.
 *
 * Utilisations are FLOPs and bytes over peak × time, at most 1: the time of a vector kernel until its
 * first tile is through may be shorter than that of its bytes.
 */
export function kernelRows(
  stage: number,
  calls: readonly KernelCall[],
  timer: KernelTimer,
  peaks: ChipPeaks,
): DecodeKernelRow[] {
  const total = secondsOf(calls, timer)
  const names = [...new Set(calls.map(({ name }) => name))]
  return names.map(name => {
    const runs = calls.filter(call => call.name === name)
    const costs = runs.map(call => ({ count: call.count, cost: timer(call) }))
    const sum = (of: (cost: KernelCost) => number) =>
      costs.reduce((all, { count, cost }) => all + count * of(cost), 0)
    const seconds = sum(cost => cost.seconds)
    const flops = sum(cost => cost.flops)
    const hbmBytes = sum(cost => cost.hbmBytes)
    const longest = costs.reduce((most, one) => (one.cost.seconds > most.cost.seconds ? one : most))
    const used = (amount: number, peak: number) =>
      seconds > 0 ? Math.min(1, amount / (peak * seconds)) : 0
    return {
      ...{ name, stage, seconds, flops, hbmBytes },
      count: costs.reduce((all, { count }) => all + count, 0),
      share: total > 0 ? seconds / total : 0,
      matrixUtilization: used(flops, peaks.flopsPerSecond),
      hbmBandwidthUtilization: used(hbmBytes, peaks.hbmBytesPerSecond),
      bound: longest.cost.bound,
    }
  })
}
