import { breakdownTable } from '#main/cli/attention-text.ts'
import { indented, textTable } from '#main/cli/text-table.ts'
import { warningsSection } from '#main/cli/warnings-text.ts'
import { boundLabels } from '#shared/results/attention-result.ts'
import type { GemmResult } from '#shared/results/gemm-result.ts'
import type { GemmDocument, GemmInput } from '#shared/schema/gemm-input.ts'
import {
  formatByteRate,
  formatBytes,
  formatCount,
  formatCycles,
  formatFlopRate,
  formatFlops,
  formatNumber,
  formatPercent,
  formatSeconds,
} from '#shared/units/format.ts'

/** A result for people: key numbers, exposed time, mapping and warnings, each with its unit. */
export function gemmText({ input, result, warnings }: GemmDocument): string {
  const sections = [
    heading(input),
    keyNumbers(input, result),
    `Exposed time\n${indented(breakdownTable(result))}`,
    `Mapping\n${indented(mappingTable(result))}`,
  ]
  sections.push(...warningsSection(warnings))
  return sections.join('\n\n')
}

function heading({ chip, workload }: GemmInput): string {
  const { m, n, k, batch, dtype } = workload
  const products = batch === 1 ? '' : `, ${formatCount(batch, 'products')}`
  return `SUMMA GEMM on ${chip.name}\nm ${String(m)}, n ${String(n)}, k ${String(k)} (contraction)${products}, ${dtype}`
}

function keyNumbers({ chip }: GemmInput, result: GemmResult): string {
  const traffic = result.hbmReadBytes + result.hbmWriteBytes
  return textTable([
    [
      'Runtime',
      formatSeconds(result.seconds),
      `${formatCycles(result.cycles)} at ${formatNumber(chip.clockGHz)} GHz`,
    ],
    [
      'Matrix utilisation',
      formatPercent(result.matrixUtilization),
      `of ${formatFlopRate(result.peakFlopsPerSecond)} peak`,
    ],
    ['Useful throughput', formatFlopRate(result.usefulFlops / result.seconds)],
    ['Useful FLOPs', formatFlops(result.usefulFlops)],
    ['Executed FLOPs', formatFlops(result.executedFlops)],
    [
      'HBM traffic',
      formatBytes(traffic),
      `${formatBytes(result.hbmReadBytes)} read, ${formatBytes(result.hbmWriteBytes)} written`,
    ],
    [
      'HBM bandwidth',
      formatPercent(result.hbmBandwidthUtilization),
      `of ${formatByteRate(result.peakHbmBytesPerSecond)} peak`,
    ],
    ['L1 peak', formatBytes(result.l1PeakBytes), `of ${formatNumber(chip.l1.capacityKiB)} KiB`],
    ['Bound by', boundLabels[result.bound]],
  ])
}

const splitTexts: Readonly<Record<GemmResult['mapping']['split'], string>> = {
  none: 'nothing is split',
  k: 'the contraction is split',
  n: 'the columns are split',
  batch: 'the products are shared out',
}

function mappingTable({ mapping }: GemmResult): string {
  const by = (...sides: readonly number[]) => sides.map(side => formatNumber(side)).join(' x ')
  return textTable([
    ['Tile', `${by(mapping.tileM, mapping.tileN, mapping.tileK)} m x n x k`],
    [
      'Group',
      `${by(mapping.groupX, mapping.groupY)} tiles`,
      `${formatCount(mapping.groups, mapping.groups === 1 ? 'group' : 'groups')}, ${splitTexts[mapping.split]}`,
    ],
    [
      'Panels of Z',
      `${formatNumber(mapping.outputBlocks)} each group`,
      `${formatCount(mapping.steps, mapping.steps === 1 ? 'step' : 'steps')} each`,
    ],
  ])
}
