import type { Wafer } from '#shared/hardware/wafer.ts'
import { chipGroups } from '#shared/models/wafer/chip-groups.ts'
import { dispatchTime } from '#shared/models/wafer/dispatch-time.ts'
import { estimateExchange } from '#shared/models/wafer/estimate-exchange.ts'
import type { Exchange, ExchangeTime } from '#shared/models/wafer/exchange.ts'
import { roundRobinPlacement } from '#shared/models/wafer/expert-placement.ts'
import { simulateExchange } from '#shared/models/wafer/simulate-exchange.ts'
import type { TokenRouting } from '#shared/models/wafer/token-routing.ts'
import { topologyOf } from '#shared/models/wafer/topology.ts'
import { systemPresets } from '#shared/presets/system-presets.ts'
import { resolveSystem, type SystemConfig } from '#shared/schema/system.ts'
import type { ExchangeResult } from '#shared/results/communication-result.ts'

export type ExchangeEngine = 'event' | 'closed-form'

/** @throws Error where there is no such preset: a mistake in the caller */
export function presetSystem(id: string): SystemConfig {
  const preset = systemPresets.find(candidate => candidate.id === id)
  if (preset === undefined) throw new Error(`no system preset ${id}`)
  return preset.config
}

/** The wafer of arXiv 2604.02110 with another grid and other links. */
export const waferOf = (x: number, y: number, links: Partial<SystemConfig['d2d']> = {}): Wafer => {
  const system = presetSystem('wafer-1tb')
  return resolveSystem({ ...system, chips: { x, y }, d2d: { ...system.d2d, ...links } })
}

/** An exchange on a system, by either engine. */
export function timeOf(exchange: Exchange, wafer: Wafer, engine: ExchangeEngine): ExchangeTime {
  const topology = topologyOf(wafer.d2d.topology, wafer)
  if (engine === 'closed-form') return estimateExchange(exchange, topology, wafer)
  const simulation = simulateExchange(exchange, topology, wafer)
  for (;;) {
    const step = simulation.next()
    if (step.done === true) return step.value
  }
}

/** `count` messages of one flit from chip 0 to another. */
export const streamTo = (destination: number, count: number, chips: number): Exchange => ({
  flitsPerMessage: 1,
  destinations: Array.from({ length: chips }, (_, chip) =>
    new Int32Array(chip === 0 ? count : 0).fill(destination),
  ),
})

/** Every chip sends a share to the next one, then to the one after that, all the way round. */
export const allToAll = (chips: number, flitsPerPair: number): Exchange => ({
  flitsPerMessage: flitsPerPair,
  destinations: Array.from({ length: chips }, (_, chip) =>
    Int32Array.from({ length: chips - 1 }, (_value, step) => (chip + step + 1) % chips),
  ),
})

/** Tokens of 7,168 bytes to 8 of 256 experts, over all chips of a system. */
export function publishedDispatch(
  wafer: Wafer,
  tokensPerChip: number,
  routing: TokenRouting,
  engine: ExchangeEngine,
): ExchangeResult {
  const chips = wafer.columns * wafer.rows
  const [group] = chipGroups(chips, wafer) ?? []
  if (group === undefined) throw new Error(`no group of ${String(chips)} chips`)
  return dispatchTime(wafer, {
    group,
    placement: roundRobinPlacement(256, chips),
    routing,
    experts: 256,
    topK: 8,
    tokensPerChip,
    width: 7168,
    dispatchFormat: 'fp8',
    combineFormat: 'fp8',
    headerBytes: 0,
    onceForEachChip: false,
    engine,
  }).dispatch
}
