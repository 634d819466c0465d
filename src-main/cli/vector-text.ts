import { indented, textTable } from '#main/cli/text-table.ts'
import { warningsSection } from '#main/cli/warnings-text.ts'
import { boundLabels } from '#shared/results/attention-result.ts'
import { vectorComponentLabels, type VectorResult } from '#shared/results/vector-result.ts'
import type { VectorDocument, VectorInput } from '#shared/schema/vector-input.ts'
import {
  formatByteRate,
  formatBytes,
  formatCount,
  formatCycles,
  formatNumber,
  formatPercent,
  formatSeconds,
} from '#shared/units/format.ts'

/** A result for people: key numbers, what the time is spent on, mapping and warnings. */
export function vectorText({ input, result, warnings }: VectorDocument): string {
  return [
    heading(input),
    keyNumbers(input, result),
    `Time\n${indented(breakdownTable(result))}`,
    `Mapping\n${indented(mappingTable(result))}`,
    ...warningsSection(warnings),
  ].join('\n\n')
}

function heading({ chip, workload, timing }: VectorInput): string {
  const { kernel, tokens, width, experts, topK, dtype, data } = workload
  const shape = [
    formatCount(tokens, tokens === 1 ? 'token' : 'tokens'),
    ...(width === undefined ? [] : [`width ${String(width)}`]),
    ...(experts === undefined ? [] : [formatCount(experts, 'experts')]),
    ...(topK === undefined ? [] : [`${String(topK)} of them for a token`]),
    dtype,
    data,
    timing === 'first-tile' ? 'until tile 0 is through' : 'until all tiles are through',
  ]
  return `${kernel} on ${chip.name}\n${shape.join(', ')}`
}

function keyNumbers({ chip }: VectorInput, result: VectorResult): string {
  return textTable([
    [
      'Runtime',
      formatSeconds(result.seconds),
      `${formatCycles(result.cycles)} at ${formatNumber(chip.clockGHz)} GHz`,
    ],
    ['  all tiles', formatCycles(result.cyclesAllTiles)],
    ['  tile 0', formatCycles(result.cyclesFirstTile), 'without the last store'],
    [
      'HBM traffic',
      formatBytes(result.hbmReadBytes + result.hbmWriteBytes),
      `${formatBytes(result.hbmReadBytes)} read, ${formatBytes(result.hbmWriteBytes)} written`,
    ],
    [
      'HBM bandwidth',
      formatPercent(result.hbmBandwidthUtilization),
      `of ${formatByteRate(result.peakHbmBytesPerSecond)} peak`,
    ],
    ['Vector utilisation', formatPercent(result.vectorUtilization)],
    ['L1 peak', formatBytes(result.l1PeakBytes), `of ${formatNumber(chip.l1.capacityKiB)} KiB`],
    ['Bound by', boundLabels[result.bound]],
  ])
}

function breakdownTable({ breakdown, seconds }: VectorResult): string {
  return textTable(
    breakdown.map(part => [
      vectorComponentLabels[part.component],
      formatSeconds(part.seconds),
      formatPercent(seconds > 0 ? part.seconds / seconds : 0),
    ]),
    ['left', 'right', 'right'],
  )
}

const mappingTable = ({ mapping }: VectorResult): string =>
  textTable([
    ['Tiles with a token', formatNumber(mapping.activeTiles)],
    ['Tokens of the busiest tile', formatNumber(mapping.tokensPerTile)],
    ['Vector engines of a token', formatNumber(mapping.enginesPerToken)],
  ])
