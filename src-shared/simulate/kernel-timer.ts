import type { Chip } from '#shared/hardware/chip.ts'
import type { Dataflow } from '#shared/mapping/dataflow.ts'
import type { KernelCost, KernelTimer } from '#shared/models/decode/kernel-cost.ts'
import { fastestSumma } from '#shared/models/summa/summa-kernel.ts'
import { summaCandidates } from '#shared/models/summa/summa-tiling.ts'
import { vectorKernel, type VectorTiming } from '#shared/models/vector/vector-kernel.ts'
import { attentionOutcome } from '#shared/simulate/attention-outcome.ts'
import { InfeasibleError } from '#shared/simulate/simulation.ts'
import { isAbsorbed, type AttentionWorkload } from '#shared/workload/attention.ts'
import type { KernelCall } from '#shared/workload/decode-kernels.ts'
import type { GemmWorkload } from '#shared/workload/gemm.ts'
import { vectorL1Bytes, type VectorWorkload } from '#shared/workload/vector.ts'

/** FlatAttention, FlashAttention as it is published, or FlashMLA on all tiles. */
export type DecodeAttention = 'flat' | 'flash' | 'flash-fair'

/** Costs that were computed before, for one chip. */
export type KernelCache = Map<string, KernelCost>

interface TimerOptions {
  readonly attention: DecodeAttention
  readonly vectorTiming: VectorTiming
}

/**
 * Times kernels with the phase engine; equal ones once.
 *
 * @param cache of the same chip, also from other deployments
 * @returns a timer that throws an InfeasibleError, with the kernel's name, where one does not fit
 */
export function kernelTimer(chip: Chip, options: TimerOptions, cache: KernelCache): KernelTimer {
  const timed = new WeakMap<KernelCall['kernel'], KernelCost>()
  const look = (call: KernelCall): KernelCost => {
    const { kernel } = call
    const dataflow =
      kernel.kind === 'attention' ? dataflowOf(options.attention, kernel.workload) : undefined
    const key = JSON.stringify([kernel, dataflow ?? options.vectorTiming])
    const known = cache.get(key)
    if (known !== undefined) return known
    const cost = costOf(call, dataflow ?? 'fa3', options.vectorTiming, chip)
    cache.set(key, cost)
    return cost
  }
  // Stages share their calls: most look-ups are of an object that was seen before.
  return call => {
    const cost = timed.get(call.kernel) ?? look(call)
    timed.set(call.kernel, cost)
    return cost
  }
}

/** The kernel that a choice of attention stands for. */
export function dataflowOf(attention: DecodeAttention, workload: AttentionWorkload): Dataflow {
  if (attention === 'flat') return 'flat-async'
  if (!isAbsorbed(workload)) return 'fa3'
  return attention === 'flash' ? 'flash-mla' : 'flash-mla-fair'
}

function costOf(
  { name, kernel }: KernelCall,
  dataflow: Dataflow,
  timing: VectorTiming,
  chip: Chip,
): KernelCost {
  switch (kernel.kind) {
    case 'gemm':
      return gemmCost(name, kernel.workload, chip)
    case 'vector':
      return vectorCost(name, kernel.workload, timing, chip)
    case 'attention':
      return attentionCost(name, kernel.workload, dataflow, chip)
  }
}

function gemmCost(name: string, workload: GemmWorkload, chip: Chip): KernelCost {
  const candidates = summaCandidates(workload, {}, chip)
  if (candidates.kind === 'problem') {
    throw new InfeasibleError(`kernel ${name}: ${candidates.message}`)
  }
  const { seconds, usefulFlops, hbmReadBytes, hbmWriteBytes, bound } = fastestSumma(
    candidates.shapes,
    chip,
  ).result
  return { seconds, flops: usefulFlops, hbmBytes: hbmReadBytes + hbmWriteBytes, bound }
}

function vectorCost(
  name: string,
  workload: VectorWorkload,
  timing: VectorTiming,
  chip: Chip,
): KernelCost {
  const needed = vectorL1Bytes(workload)
  if (needed > chip.l1.capacity) {
    throw new InfeasibleError(
      `kernel ${name}: a token of ${String(workload.width)} elements needs ${String(needed)} bytes of L1, ` +
        `but system.chip.l1.capacityKiB gives ${String(chip.l1.capacity)}`,
    )
  }
  const { seconds, hbmReadBytes, hbmWriteBytes, bound } = vectorKernel(
    workload,
    timing,
    chip,
  ).result
  return { seconds, flops: 0, hbmBytes: hbmReadBytes + hbmWriteBytes, bound }
}

function attentionCost(
  name: string,
  workload: AttentionWorkload,
  dataflow: Dataflow,
  chip: Chip,
): KernelCost {
  const outcome = attentionOutcome(dataflow, workload, {}, chip)
  if (outcome.kind === 'problem') throw new InfeasibleError(`kernel ${name}: ${outcome.message}`)
  const { seconds, usefulFlops, hbmReadBytes, hbmWriteBytes, bound } = outcome.kernel.result
  return { seconds, flops: usefulFlops, hbmBytes: hbmReadBytes + hbmWriteBytes, bound }
}
