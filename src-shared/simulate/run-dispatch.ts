import type { Wafer } from '#shared/hardware/wafer.ts'
import { MODEL_VERSION } from '#shared/model-version.ts'
import { chipGroups, groupSizes, type ChipGroup } from '#shared/models/wafer/chip-groups.ts'
import { dispatchWarnings } from '#shared/models/wafer/dispatch-warnings.ts'
import { simulateDispatch, type DispatchRequest } from '#shared/models/wafer/dispatch-time.ts'
import {
  loadBalancedPlacement,
  roundRobinPlacement,
} from '#shared/models/wafer/expert-placement.ts'
import { explainDispatch } from '#shared/models/wafer/explain-dispatch.ts'
import { expertTokens, routeTokens, type TokenRouting } from '#shared/models/wafer/token-routing.ts'
import type {
  DispatchConfig,
  DispatchDocument,
  DispatchInput,
} from '#shared/schema/dispatch-input.ts'
import { SCHEMA_VERSION } from '#shared/schema/schema-version.ts'
import { resolveSystem } from '#shared/schema/system.ts'
import { InfeasibleError, type Simulation } from '#shared/simulate/simulation.ts'

/**
 * Simulates dispatch and combine of one layer over the first group of chips.
 *
 * @throws InfeasibleError where the grid cannot be cut into groups of that many chips
 */
export function* runDispatch(input: DispatchInput): Simulation<DispatchDocument> {
  const wafer = resolveSystem(input.system)
  const request = dispatchRequest(input, wafer)
  const steps = simulateDispatch(wafer, request)
  let step = steps.next()
  while (step.done !== true) {
    yield { phase: 'flits', ...step.value }
    step = steps.next()
  }
  const result = step.value
  return {
    schemaVersion: SCHEMA_VERSION,
    modelVersion: MODEL_VERSION,
    input,
    result,
    explanation: explainDispatch(request, result, wafer),
    warnings: dispatchWarnings(request, wafer),
  }
}

function dispatchRequest({ engine, dispatch }: DispatchInput, wafer: Wafer): DispatchRequest {
  const { experts, topK, tokensPerChip, width, redundantExperts } = dispatch
  const group = groupOf(dispatch.expertParallel, wafer)
  const members = group.chips.length
  const routing = routingOf(dispatch)
  const placement =
    redundantExperts === 0
      ? roundRobinPlacement(experts, members)
      : loadBalancedPlacement(
          expertTokens(routeTokens(routing, dispatch, tokensPerChip * members)),
          members,
          redundantExperts,
        )
  return {
    ...{ group, placement, routing, experts, topK, tokensPerChip, width, engine },
    dispatchFormat: dispatch.dispatchFormat,
    combineFormat: dispatch.combineFormat,
    headerBytes: dispatch.headerBytes,
    onceForEachChip: dispatch.onceForEachChip,
  }
}

function groupOf(size: number, wafer: Wafer): ChipGroup {
  const [group] = chipGroups(size, wafer) ?? []
  if (group !== undefined) return group
  throw new InfeasibleError(
    `dispatch.expertParallel: ${String(wafer.columns)} x ${String(wafer.rows)} chips cannot be cut into rectangles of ${String(size)}; allowed are ${groupSizes(wafer).join(', ')}`,
  )
}

function routingOf({ routing, seed, zipfExponent }: DispatchConfig): TokenRouting {
  switch (routing) {
    case 'balanced':
      return { pattern: routing }
    case 'uniform':
      return { pattern: routing, seed }
    case 'zipf':
      return { pattern: routing, seed, exponent: zipfExponent }
  }
}
