import { chipCount, type Wafer } from '#shared/hardware/wafer.ts'
import type { ChipGroup } from '#shared/models/wafer/chip-groups.ts'
import { estimateExchange, type ExchangeEstimate } from '#shared/models/wafer/estimate-exchange.ts'
import {
  type Exchange,
  type ExchangeProgress,
  type ExchangeTime,
} from '#shared/models/wafer/exchange.ts'
import type { ExpertPlacement } from '#shared/models/wafer/expert-placement.ts'
import { assignTokens, computedRows, expertTraffic } from '#shared/models/wafer/expert-traffic.ts'
import { simulateExchange } from '#shared/models/wafer/simulate-exchange.ts'
import { tokenBytes, type TokenFormat } from '#shared/models/wafer/token-message.ts'
import {
  routeTokens,
  type ExpertChoice,
  type TokenRouting,
} from '#shared/models/wafer/token-routing.ts'
import { topologyOf, type Topology } from '#shared/models/wafer/topology.ts'
import type {
  DispatchResult,
  ExchangeBottleneck,
  ExchangeResult,
} from '#shared/results/communication-result.ts'
import { durationOf } from '#shared/units/convert.ts'
import { bytes, type Bytes, type Cycles } from '#shared/units/quantity.ts'

/** Dispatch and combine of one layer over the chips of one group. */
export interface DispatchRequest extends ExpertChoice {
  readonly group: ChipGroup
  readonly placement: ExpertPlacement
  readonly routing: TokenRouting
  /** Token rows that each chip of the group brings. */
  readonly tokensPerChip: number
  /** Elements of a token: the hidden size. */
  readonly width: number
  readonly dispatchFormat: TokenFormat
  readonly combineFormat: TokenFormat
  readonly headerBytes: number
  /** A chip with several experts of a token gets it once, and returns one sum. */
  readonly onceForEachChip: boolean
  /** Flit by flit, or the closed form. */
  readonly engine: 'event' | 'closed-form'
}

/**
 * Time and link loads of dispatch and combine: see simulateDispatch. Runs to the end at once.
 *
 * Checked by: test/src-shared/models/wafer/dispatch-time.test.ts
 */
export function dispatchTime(wafer: Wafer, request: DispatchRequest): DispatchResult {
  const simulation = simulateDispatch(wafer, request)
  for (;;) {
    const step = simulation.next()
    if (step.done === true) return step.value
  }
}

/**
 * Routes the tokens, sends them to their experts and the results back.
 *
 *   t = T / f,  T = max(T_data, T_ack) with the artefact endsWithAcknowledgement, else T_data
 *
 * T_data  until the last flit of data is in its chip    T_ack  until the last acknowledgement is back
 * f       clock of the links
 *
 * A group of one chip keeps its tokens: nothing moves. With the artefact combineLikeDispatch the
 * combine is the dispatch once more.
 *
 * Source: simulateExchange and estimateExchange; the artefacts are those of the public experiments
 *   of arXiv 2604.02110.
 * Holds when: the chips of the group start together, and nothing else is on the links.
 * Leaves out: reading and writing the tokens in HBM, and the sums of a combine.
 * Checked by: the validation sets d2d-balanced-2026 and d2d-dispatches-2026
 */
export function* simulateDispatch(
  wafer: Wafer,
  request: DispatchRequest,
): Generator<ExchangeProgress, DispatchResult, void> {
  const { group, placement, routing, tokensPerChip, width, headerBytes } = request
  const members = group.chips.length
  const { artefacts } = wafer
  const topology = topologyOf(wafer.d2d.topology, wafer)
  const routed = routeTokens(routing, request, tokensPerChip * members)
  const assigned = assignTokens(routed, placement)
  const traffic = expertTraffic(assigned, group, chipCount(wafer), {
    onceForEachChip: request.onceForEachChip,
    includesOwnChip: artefacts.ownChipThroughRouter && members > 1,
  })
  const send = (destinations: Exchange['destinations'], format: TokenFormat) =>
    sendMessages(destinations, tokenBytes(width, format, headerBytes), {
      wafer,
      topology,
      engine: request.engine,
    })
  const dispatch = yield* send(traffic.dispatch, request.dispatchFormat)
  const combine = artefacts.combineLikeDispatch
    ? dispatch
    : yield* send(traffic.combine, request.combineFormat)
  const flitBytes = (flits: number | undefined) => (flits ?? 0) * wafer.d2d.flit
  const links = topology.links
    .map(({ from, to }, link) => ({
      from: placeOf(from, topology),
      to: placeOf(to, topology),
      dispatchBytes: flitBytes(dispatch.linkFlits[link]),
      combineBytes: flitBytes(combine.linkFlits[link]),
    }))
    .filter(({ dispatchBytes, combineBytes }) => dispatchBytes + combineBytes > 0)
  return {
    dispatchSeconds: dispatch.result.seconds,
    combineSeconds: combine.result.seconds,
    dispatch: dispatch.result,
    combine: combine.result,
    links,
    maxLinkBytes: links.reduce(
      (most, link) => Math.max(most, link.dispatchBytes, link.combineBytes),
      0,
    ),
    chips: group.chips,
    expertRows: Array.from(computedRows(assigned)),
  }
}

/** What an exchange runs on, and how it is timed. */
interface Network {
  readonly wafer: Pick<Wafer, 'd2d' | 'artefacts'>
  readonly topology: Topology
  readonly engine: DispatchRequest['engine']
}

interface Sent {
  readonly result: ExchangeResult
  readonly linkFlits: ExchangeTime['linkFlits']
}

function* sendMessages(
  destinations: Exchange['destinations'],
  messageBytes: Bytes,
  { wafer, topology, engine }: Network,
): Generator<ExchangeProgress, Sent, void> {
  const { d2d, artefacts } = wafer
  const exchange = { destinations, flitsPerMessage: Math.ceil(messageBytes / d2d.flit) }
  const estimate = estimateExchange(exchange, topology, wafer)
  const time = engine === 'event' ? yield* simulateExchange(exchange, topology, wafer) : estimate
  const inSeconds = (count: Cycles) => durationOf(count, d2d.clock)
  const lastDataSeconds = inSeconds(time.lastData)
  const acknowledgedSeconds = inSeconds(time.acknowledged)
  const result = {
    seconds: artefacts.endsWithAcknowledgement
      ? Math.max(lastDataSeconds, acknowledgedSeconds)
      : lastDataSeconds,
    lastDataSeconds,
    acknowledgedSeconds,
    messages: destinations.reduce((sum, list) => sum + list.length, 0),
    messageBytes: bytes(messageBytes),
    flitsPerMessage: exchange.flitsPerMessage,
    bottleneck: bottleneckOf(estimate, topology, inSeconds),
  }
  return { result, linkFlits: time.linkFlits }
}

const placeOf = (router: number, topology: Topology): number | 'switch' =>
  router < topology.chips ? router : 'switch'

function bottleneckOf(
  { bottleneck, flits, interval, before, after }: ExchangeEstimate,
  topology: Topology,
  inSeconds: (count: Cycles) => number,
): ExchangeBottleneck | null {
  if (bottleneck === null) return null
  const numbers = {
    flits,
    secondsPerFlit: inSeconds(interval),
    beforeSeconds: inSeconds(before),
    afterSeconds: inSeconds(after),
  }
  const { line } = bottleneck
  if (line !== 'link') return { line, from: bottleneck.chip, to: bottleneck.chip, ...numbers }
  const link = topology.links[bottleneck.link]
  if (link === undefined) return null
  return { line, from: placeOf(link.from, topology), to: placeOf(link.to, topology), ...numbers }
}
