import type { Chip } from '#shared/hardware/chip.ts'
import type { Dataflow } from '#shared/mapping/dataflow.ts'
import { decodeDataflow, type DecodeAttention } from '#shared/mapping/decode-dataflow.ts'
import type { KernelCost, KernelTimer } from '#shared/models/decode/kernel-cost.ts'
import type { AttentionKernel } from '#shared/models/attention/attention-kernel.ts'
import { fastestSumma, type SummaKernel } from '#shared/models/summa/summa-kernel.ts'
import { summaCandidates } from '#shared/models/summa/summa-tiling.ts'
import {
  vectorKernel,
  type VectorKernel,
  type VectorTiming,
} from '#shared/models/vector/vector-kernel.ts'
import type { GemmResult } from '#shared/results/gemm-result.ts'
import { attentionOutcome } from '#shared/simulate/attention-outcome.ts'
import { InfeasibleError } from '#shared/simulate/simulation.ts'
import type { KernelCall } from '#shared/workload/decode-kernels.ts'
import { vectorL1Bytes, type VectorWorkload } from '#shared/workload/vector.ts'

/** Costs that were computed before, for one chip. */
export type KernelCache = Map<string, KernelCost>

/** How a deployment wants its kernels. */
export interface TimerOptions {
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
      kernel.kind === 'attention' ? decodeDataflow(options.attention, kernel.workload) : undefined
    const key = JSON.stringify([kernel, dataflow ?? options.vectorTiming])
    const known = cache.get(key)
    if (known !== undefined) return known
    const cost = costOfResult(phaseKernel(call, chip, options).kernel.result)
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

/** A kernel as the phase engine has it: what the event engine starts from. */
export type PhaseKernel =
  | { readonly kind: 'gemm'; readonly kernel: SummaKernel }
  | { readonly kind: 'vector'; readonly kernel: VectorKernel }
  | { readonly kind: 'attention'; readonly dataflow: Dataflow; readonly kernel: AttentionKernel }

/** @throws InfeasibleError, with the kernel's name, where it does not fit */
export function phaseKernel(
  { name, kernel }: KernelCall,
  chip: Chip,
  { attention, vectorTiming }: TimerOptions,
): PhaseKernel {
  switch (kernel.kind) {
    case 'gemm': {
      const candidates = summaCandidates(kernel.workload, {}, chip)
      if (candidates.kind === 'problem') {
        throw new InfeasibleError(`kernel ${name}: ${candidates.message}`)
      }
      return { kind: 'gemm', kernel: fastestSumma(candidates.shapes, chip) }
    }
    case 'vector':
      checkThatTokenFits(name, kernel.workload, chip)
      return { kind: 'vector', kernel: vectorKernel(kernel.workload, vectorTiming, chip) }
    case 'attention': {
      const dataflow = decodeDataflow(attention, kernel.workload)
      const outcome = attentionOutcome(dataflow, kernel.workload, {}, chip)
      if (outcome.kind === 'problem') {
        throw new InfeasibleError(`kernel ${name}: ${outcome.message}`)
      }
      return { kind: 'attention', dataflow, kernel: outcome.kernel }
    }
  }
}

/** What counts of a kernel in a deployment, whichever engine ran it. */
export const costOfResult = (
  result: Pick<GemmResult, 'seconds' | 'hbmReadBytes' | 'hbmWriteBytes' | 'bound'> & {
    readonly usefulFlops?: number
  },
): KernelCost => ({
  seconds: result.seconds,
  flops: result.usefulFlops ?? 0,
  hbmBytes: result.hbmReadBytes + result.hbmWriteBytes,
  bound: result.bound,
})

function checkThatTokenFits(name: string, workload: VectorWorkload, chip: Chip): void {
  const needed = vectorL1Bytes(workload)
  if (needed <= chip.l1.capacity) return
  throw new InfeasibleError(
    `kernel ${name}: a token of ${String(workload.width)} elements needs ${String(needed)} bytes of L1, ` +
      `but system.chip.l1.capacityKiB gives ${String(chip.l1.capacity)}`,
  )
}
