import { secondsOf, type KernelTimer } from '#shared/models/decode/kernel-cost.ts'
import { times, type KernelCall } from '#shared/workload/decode-kernels.ts'

/** How communication and kernels share the time of a layer. */
export type CommunicationMode = 'barrier' | 'overlap' | 'none'

/** Dispatch and combine of a layer, or of one half of the batch with overlap. */
export interface LayerExchange {
  readonly dispatchSeconds: number
  readonly combineSeconds: number
}

/** A layer of one chip, with what it waits for. */
export interface LayerTime {
  /** All kernels of the layer: with overlap those of both halves. */
  readonly calls: readonly KernelCall[]
  readonly kernelSeconds: number
  /** What dispatch and combine add to the kernels. */
  readonly exposedSeconds: number
  readonly seconds: number
}

/**
 * Time of a layer.
 *
 *   barrier  t = Σ t_kernel + t_dispatch + t_combine
 *   overlap  t = 2 · max(Σ t_kernel(b/2), t_dispatch(b/2) + t_combine(b/2))
 *   none     t = Σ t_kernel
 *
 * b  batch. With overlap one half of the batch computes while the other one communicates; each half
 * reads all weights, so overlap costs kernel time where kernels wait for weights.
 *
 * Source: barrier is how arXiv 2604.02110 runs its layers; two micro-batches as in DeepSeek-V3
 *   (arXiv 2412.19437), section 3.4.
 * Holds when: kernels run one after the other; overlap, in the steady state, and if exchanges take
 *   nothing from kernels.
 * Checked by: test/src-shared/models/decode/layer-time.test.ts
 *
 * @param calls of the whole batch, or of one half with overlap
 */
export function layerTime(
  calls: readonly KernelCall[],
  { dispatchSeconds, combineSeconds }: LayerExchange,
  mode: CommunicationMode,
  timer: KernelTimer,
): LayerTime {
  const once = secondsOf(calls, timer)
  const exchange = mode === 'none' ? 0 : dispatchSeconds + combineSeconds
  if (mode === 'overlap') {
    const exposedSeconds = 2 * Math.max(0, exchange - once)
    const kernelSeconds = 2 * once
    return {
      calls: times(calls, 2),
      ...{ kernelSeconds, exposedSeconds, seconds: kernelSeconds + exposedSeconds },
    }
  }
  return { calls, kernelSeconds: once, exposedSeconds: exchange, seconds: once + exchange }
}
