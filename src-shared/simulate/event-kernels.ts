import type { Chip } from '#shared/hardware/chip.ts'
import type { KernelCost, KernelTimer } from '#shared/models/decode/kernel-cost.ts'
import type { EventReport } from '#shared/results/event-report.ts'
import type { ResultWarning } from '#shared/results/warning.ts'
import { costOfResult, phaseKernel, type TimerOptions } from '#shared/simulate/kernel-timer.ts'
import { runEventAttention } from '#shared/simulate/run-event-attention.ts'
import { runEventGemm } from '#shared/simulate/run-event-gemm.ts'
import { runEventVector } from '#shared/simulate/run-event-vector.ts'
import type { Simulation } from '#shared/simulate/simulation.ts'
import type { KernelCall } from '#shared/workload/decode-kernels.ts'

/** A kernel that the event engine has run. */
export interface EventCost extends KernelCost {
  readonly events: number
  /** Whether all of it was simulated, and not the end extrapolated. */
  readonly whole: boolean
}

/** Kernels that were simulated event by event, by their shape, on one chip. */
export type EventCosts = Map<string, EventCost>

const keyOf = ({ kernel }: KernelCall, { attention, vectorTiming }: TimerOptions): string =>
  JSON.stringify([kernel, kernel.kind === 'attention' ? attention : vectorTiming])

/** A timer that passes on to another one, and the kernels that it was asked for, by name and shape. */
export function recordingTimer(timer: KernelTimer, options: TimerOptions) {
  const asked = new Map<string, KernelCall>()
  const record: KernelTimer = call => {
    const key = keyOf(call, options)
    if (!asked.has(key)) asked.set(key, call)
    return timer(call)
  }
  return { timer: record, asked }
}

/**
 * Simulates kernels event by event, each shape once; what is known already is left out.
 *
 * The phase engine chooses grids and mappings, as for a single kernel.
 *
 * @param asked kernels by their key, of a recordingTimer
 * @param costs of the same chip; gets the new ones
 * @throws InfeasibleError where one does not fit the chip
 */
export function* simulateKernels(
  asked: ReadonlyMap<string, KernelCall>,
  chip: Chip,
  options: TimerOptions,
  costs: EventCosts,
): Simulation<void> {
  const missing = [...asked].filter(([key]) => !costs.has(key))
  for (const [index, [key, call]] of missing.entries()) {
    yield { phase: `events of ${call.name}`, done: index, total: missing.length }
    const simulation = eventCost(call, chip, options)
    for (;;) {
      const step = simulation.next()
      if (step.done === true) {
        costs.set(key, step.value)
        break
      }
      const { done, total } = step.value
      yield { phase: `events of ${call.name}`, done: index + done / total, total: missing.length }
    }
  }
}

/** A timer of kernels that were simulated before; it throws where one was not: a mistake here. */
export const knownTimer =
  (costs: EventCosts, options: TimerOptions): KernelTimer =>
  call => {
    const cost = costs.get(keyOf(call, options))
    if (cost === undefined) throw new Error(`kernel ${call.name} was not simulated`)
    return cost
  }

function* eventCost(call: KernelCall, chip: Chip, options: TimerOptions): Simulation<EventCost> {
  const phase = phaseKernel(call, chip, options)
  const outcome = yield* phase.kind === 'attention'
    ? runEventAttention(phase.dataflow, phase.kernel, chip, {
        loaders: 'diagonal',
        watch: {},
      })
    : phase.kind === 'gemm'
      ? runEventGemm(phase.kernel, chip, {})
      : runEventVector(phase.kernel, chip, {})
  const { events, iterations, simulatedIterations }: EventReport = outcome.event
  return {
    ...costOfResult(outcome.result),
    ...{ events, whole: simulatedIterations >= iterations },
  }
}

/** What the reader should know of the kernels of one point. */
export function eventWarnings(
  asked: ReadonlyMap<string, KernelCall>,
  costs: EventCosts,
): ResultWarning[] {
  const cut = [...asked].filter(([key]) => costs.get(key)?.whole === false)
  if (cut.length === 0) return []
  const names = [...new Set(cut.map(([, { name }]) => name))].join(', ')
  return [
    {
      code: 'extrapolated',
      message: `only the first part of these kernels was simulated, the rest follows from their steady state: ${names}`,
    },
  ]
}
