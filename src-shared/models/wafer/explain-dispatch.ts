import type { Wafer } from '#shared/hardware/wafer.ts'
import { term } from '#shared/models/explanation-term.ts'
import type { DispatchRequest } from '#shared/models/wafer/dispatch-time.ts'
import { tokenBytes, type TokenFormat } from '#shared/models/wafer/token-message.ts'
import type { DispatchResult, ExchangeResult } from '#shared/results/communication-result.ts'
import type { Explanation } from '#shared/results/explanation.ts'

const network = 'Chip-to-chip model of the public simulator behind arXiv 2604.02110'

/** How each number of dispatch and combine came about, with the values filled in. */
export function explainDispatch(
  request: DispatchRequest,
  result: DispatchResult,
  wafer: Pick<Wafer, 'd2d' | 'artefacts'>,
): Explanation[] {
  const { dispatchFormat, combineFormat } = request
  const explained = (exchange: 'dispatch' | 'combine', format: TokenFormat) => [
    explainTime(exchange, result[exchange], wafer),
    explainData(exchange, result[exchange], request),
    explainMessage(exchange, result[exchange], format, request),
    explainFlits(exchange, result[exchange], wafer),
  ]
  return [
    ...explained('dispatch', dispatchFormat),
    ...explained('combine', wafer.artefacts.combineLikeDispatch ? dispatchFormat : combineFormat),
    {
      field: 'maxLinkBytes',
      label: 'Bytes over the busiest link',
      value: result.maxLinkBytes,
      unit: 'B',
      formula: 'the largest of dispatchBytes and combineBytes in links',
      terms: [],
      source: 'Counting, whole flits',
    },
  ]
}

function explainTime(
  exchange: 'dispatch' | 'combine',
  { seconds, lastDataSeconds, acknowledgedSeconds }: ExchangeResult,
  { artefacts }: Pick<Wafer, 'artefacts'>,
): Explanation {
  const data = term(
    't_data',
    'until the last data',
    lastDataSeconds,
    's',
    `${exchange}.lastDataSeconds`,
  )
  const acknowledged = term(
    't_ack',
    'until the last acknowledgement',
    acknowledgedSeconds,
    's',
    `${exchange}.acknowledgedSeconds`,
  )
  return {
    field: `${exchange}Seconds`,
    label: exchange === 'dispatch' ? 'Dispatch' : 'Combine',
    value: seconds,
    unit: 's',
    formula: artefacts.endsWithAcknowledgement ? 't = max(t_data, t_ack)' : 't = t_data',
    terms: artefacts.endsWithAcknowledgement ? [data, acknowledged] : [data],
    source: 'system.referenceArtefacts.endsWithAcknowledgement',
  }
}

function explainData(
  exchange: 'dispatch' | 'combine',
  { lastDataSeconds, bottleneck }: ExchangeResult,
  { engine }: Pick<DispatchRequest, 'engine'>,
): Explanation {
  const field = `${exchange}.lastDataSeconds`
  const common = { field, label: 'Until the last data', value: lastDataSeconds, unit: 's' }
  if (bottleneck === null) {
    return { ...common, formula: 't_data = 0', terms: [], source: 'Nothing has to move' }
  }
  const { line, from, to, flits, secondsPerFlit, beforeSeconds, afterSeconds } = bottleneck
  const of =
    line === 'link' ? `link ${String(from)} to ${String(to)}` : `${line} of chip ${String(from)}`
  const source = `result.${exchange}.bottleneck`
  const terms = [
    term('t_b', `until the first flit is at the ${of}`, beforeSeconds, 's', source),
    term('N', `flits over the ${of}`, flits, '1', source),
    term('Δ', 'from flit to flit there', secondsPerFlit, 's', source),
    term('t_a', 'from there to the farthest chip', afterSeconds, 's', source),
  ]
  return engine === 'event'
    ? {
        ...common,
        formula: 'simulated flit by flit; the closed form is t_b + (N − 1)·Δ + t_a',
        terms,
        source: network,
      }
    : { ...common, formula: 't_data = t_b + (N − 1) · Δ + t_a', terms, source: network }
}

function explainMessage(
  exchange: 'dispatch' | 'combine',
  { messageBytes }: ExchangeResult,
  format: TokenFormat,
  { width, headerBytes }: Pick<DispatchRequest, 'width' | 'headerBytes'>,
): Explanation {
  const element = format === 'bf16' ? 2 : 1
  const scales = tokenBytes(width, format) - width * element
  return {
    field: `${exchange}.messageBytes`,
    label: 'Bytes of a token',
    value: messageBytes,
    unit: 'B',
    formula: 's = w · e + c + h',
    terms: [
      term('w', 'elements', width, '1', 'dispatch.width'),
      term('e', 'bytes of an element', element, 'B', `dispatch.${exchange}Format`),
      term('c', 'scales', scales, 'B', 'one of 4 bytes for 128 elements, arXiv 2412.19437'),
      term('h', 'header', headerBytes, 'B', 'dispatch.headerBytes'),
    ],
    source: 'Counting',
  }
}

function explainFlits(
  exchange: 'dispatch' | 'combine',
  { flitsPerMessage, messageBytes }: ExchangeResult,
  { d2d }: Pick<Wafer, 'd2d'>,
): Explanation {
  return {
    field: `${exchange}.flitsPerMessage`,
    label: 'Flits of a token',
    value: flitsPerMessage,
    unit: '1',
    formula: 'm = ⌈s / F⌉',
    terms: [
      term('s', 'bytes of a token', messageBytes, 'B', `result.${exchange}.messageBytes`),
      term('F', 'flit', d2d.flit, 'B', 'system.d2d.flitBytes'),
    ],
    source: 'A partly filled flit takes as long as a full one',
  }
}
