import { selectionSection } from '#main/cli/selection-text.ts'
import { indented, textTable } from '#main/cli/text-table.ts'
import { warningsSection } from '#main/cli/warnings-text.ts'
import { gh200Baseline, gh200Origin } from '#shared/baselines/gh200.ts'
import { workloadText } from '#main/cli/workload-text.ts'
import { dataflowDescriptions } from '#shared/mapping/dataflow.ts'
import {
  boundLabels,
  componentLabels,
  type AttentionResult,
} from '#shared/results/attention-result.ts'
import { achievedFlopsPerSecond, hbmTrafficBytes } from '#shared/results/metric.ts'
import type { AttentionDocument } from '#shared/schema/attention-document.ts'
import type { AttentionInput } from '#shared/schema/attention-input.ts'
import { resolveWorkload } from '#shared/schema/workload.ts'
import { regimeVerdict, type RegimeVerdict } from '#shared/validation/regime-verdict.ts'
import { isAbsorbed } from '#shared/workload/attention.ts'
import {
  NOT_AVAILABLE,
  formatByteRate,
  formatBytes,
  formatCount,
  formatCycles,
  formatFlopRate,
  formatFlops,
  formatNumber,
  formatPercent,
  formatRatio,
  formatSeconds,
} from '#shared/units/format.ts'

const barCharacters = 40

/** A result for people: key numbers, exposed time, mapping and warnings, each with its unit. */
export function attentionText({ input, result, warnings, selection }: AttentionDocument): string {
  const sections = [
    kernelHeading(input),
    keyNumbers(input, result),
    `Exposed time\n${indented(breakdownTable(result))}`,
    `Mapping\n${indented(mappingTable(input, result))}`,
    ...selectionSection(selection),
  ]
  sections.push(regimeText(regimeVerdict(input)), ...warningsSection(warnings))
  return sections.join('\n\n')
}

/** Whether kernels like this one were compared with published numbers. */
function regimeText({ kind, nearestSet, differences }: RegimeVerdict): string {
  const apart = differences.map(difference => `different: ${difference}`)
  const lines = [`${kind}; nearest set ${nearestSet}`, ...apart]
  return `Validated regime\n${indented(lines.join('\n'))}`
}

/** Dataflow, chip and shape of a kernel, on two lines. */
export function kernelHeading({
  chip,
  workload,
  dataflow,
}: Pick<AttentionInput, 'chip' | 'workload' | 'dataflow'>): string {
  return `${dataflowDescriptions[dataflow].label} on ${chip.name}\n${workloadText(workload)}`
}

function keyNumbers({ chip, workload }: AttentionInput, result: AttentionResult): string {
  const peak = formatFlopRate(result.peakFlopsPerSecond)
  const hbmPeak = formatByteRate(result.peakHbmBytesPerSecond)
  return textTable([
    [
      'Runtime',
      formatSeconds(result.seconds),
      `${formatCycles(result.cycles)} at ${formatNumber(chip.clockGHz)} GHz`,
    ],
    ['Matrix utilisation', formatPercent(result.matrixUtilization), `of ${peak} peak`],
    ['  while active', formatPercent(result.matrixActiveUtilization)],
    ['Useful throughput', formatFlopRate(achievedFlopsPerSecond(result))],
    ['Useful FLOPs', formatFlops(result.usefulFlops)],
    ['Executed FLOPs', formatFlops(result.executedFlops)],
    [
      'HBM traffic',
      formatBytes(hbmTrafficBytes(result)),
      `${formatBytes(result.hbmReadBytes)} read, ${formatBytes(result.hbmWriteBytes)} written`,
    ],
    ['HBM bandwidth', formatPercent(result.hbmBandwidthUtilization), `of ${hbmPeak} peak`],
    ['NoC traffic', formatBytes(result.nocBytes)],
    ['L1 peak', formatBytes(result.l1PeakBytes), `of ${formatNumber(chip.l1.capacityKiB)} KiB`],
    ['Arithmetic intensity', `${formatNumber(result.arithmeticIntensity)} FLOP/B`],
    ['Bound by', boundLabels[result.bound]],
    gh200Cells(workload, result),
  ])
}

/** What a GH200 does with the same shape, and how that is known. */
function gh200Cells(workload: AttentionInput['workload'], result: AttentionResult): string[] {
  const baseline = gh200Baseline(resolveWorkload(workload))
  const origin = gh200Origin(baseline)
  if (baseline.kind === 'none') return ['GH200', NOT_AVAILABLE, origin]
  const measured = baseline.tflops * 1e12
  const ratio = formatRatio(achievedFlopsPerSecond(result) / measured)
  return [
    'GH200',
    formatFlopRate(measured),
    `${baseline.series.kernel}, ${origin}; this run has ${ratio} that throughput`,
  ]
}

/** Exposed time by component, with a bar for each share. */
export function breakdownTable({
  breakdown,
  seconds,
}: Pick<AttentionResult, 'breakdown' | 'seconds'>): string {
  const share = (part: number) => (seconds > 0 ? part / seconds : 0)
  return textTable(
    breakdown.map(part => [
      componentLabels[part.component],
      formatSeconds(part.seconds),
      formatPercent(share(part.seconds)),
      '#'.repeat(Math.round(share(part.seconds) * barCharacters)),
    ]),
    ['left', 'right', 'right', 'left'],
  )
}

function mappingTable({ workload }: AttentionInput, { mapping }: AttentionResult): string {
  const interleaved = isAbsorbed(workload) ? 'sequences' : 'heads'
  const by = (x: number, y: number) => `${formatNumber(x)} x ${formatNumber(y)}`
  return textTable([
    [
      'Group',
      `${by(mapping.groupX, mapping.groupY)} tiles`,
      formatCount(mapping.groups, mapping.groups === 1 ? 'group' : 'groups'),
    ],
    ['Slice of a tile', `${by(mapping.sliceRows, mapping.sliceCols)} rows x columns`],
    ['Block of a group', `${by(mapping.blockRows, mapping.blockCols)} rows x columns`],
    [
      'Iterations',
      `${formatNumber(mapping.outerIterations)} outer`,
      `${formatNumber(mapping.innerIterations)} inner each`,
    ],
    ['Asynchronous', mapping.async ? `yes, two ${interleaved} interleaved` : 'no'],
  ])
}
