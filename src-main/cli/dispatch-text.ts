import { indented, textTable } from '#main/cli/text-table.ts'
import { warningsSection } from '#main/cli/warnings-text.ts'
import type { ExchangeResult, LinkLoad } from '#shared/results/communication-result.ts'
import type { DispatchDocument, DispatchInput } from '#shared/schema/dispatch-input.ts'
import { formatBytes, formatCount, formatNumber, formatSeconds } from '#shared/units/format.ts'

/** Links that the table shows. */
const SHOWN_LINKS = 8

/** A result for people: both times, what holds them up, and the busiest links. */
export function dispatchText({ input, result, warnings }: DispatchDocument): string {
  const rows = Math.max(...result.expertRows)
  const mean = result.expertRows.reduce((sum, count) => sum + count, 0) / result.expertRows.length
  const sections = [
    heading(input),
    textTable([
      ['Dispatch', formatSeconds(result.dispatchSeconds), exchangeText(result.dispatch)],
      ['Combine', formatSeconds(result.combineSeconds), exchangeText(result.combine)],
      ['Busiest link', formatBytes(result.maxLinkBytes), 'in one of the two'],
      ['Expert rows', formatNumber(rows), `on the busiest chip, ${formatNumber(mean)} on average`],
    ]),
  ]
  if (result.links.length > 0) sections.push(linksText(result.links))
  sections.push(...warningsSection(warnings))
  return sections.join('\n\n')
}

function heading({ system, dispatch, engine }: DispatchInput): string {
  const { x, y } = system.chips
  return (
    `Dispatch and combine over ${formatCount(dispatch.expertParallel, 'chips')} of ${system.name} (${String(x)} x ${String(y)}, ${system.d2d.topology})\n` +
    `${formatCount(dispatch.tokensPerChip, 'tokens')} per chip, ${String(dispatch.topK)} of ${String(dispatch.experts)} experts, ${dispatch.routing} routing, ${engine === 'event' ? 'flit by flit' : 'closed form'}`
  )
}

function exchangeText(exchange: ExchangeResult): string {
  const { messages, messageBytes, flitsPerMessage, bottleneck } = exchange
  if (bottleneck === null) return 'nothing has to move'
  const { line, from, to } = bottleneck
  const busiest =
    line === 'link' ? `link ${String(from)} to ${String(to)}` : `${line} of chip ${String(from)}`
  return `${formatCount(messages, 'messages')} of ${formatCount(messageBytes, 'B')} in ${formatCount(flitsPerMessage, 'flits')}; held up by ${busiest}`
}

function linksText(links: readonly LinkLoad[]): string {
  const load = (link: LinkLoad) => Math.max(link.dispatchBytes, link.combineBytes)
  const busiest = links.toSorted((a, b) => load(b) - load(a)).slice(0, SHOWN_LINKS)
  const rows = busiest.map(({ from, to, dispatchBytes, combineBytes }) => [
    `${String(from)} to ${String(to)}`,
    formatBytes(dispatchBytes),
    formatBytes(combineBytes),
  ])
  const title = `Busiest ${String(busiest.length)} of ${formatCount(links.length, 'links')}`
  return `${title}\n${indented(textTable([['LINK', 'DISPATCH', 'COMBINE'], ...rows], ['left', 'right', 'right']))}`
}
