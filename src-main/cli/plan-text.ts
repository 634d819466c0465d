import { indented, textTable } from '#main/cli/text-table.ts'
import { warningsSection } from '#main/cli/warnings-text.ts'
import type { ExplainedPoint, PlanChange, PlanPoint } from '#shared/results/plan-result.ts'
import type { PlanDocument, PlanInput } from '#shared/schema/plan-input.ts'
import {
  formatBytes,
  formatCount,
  formatNumber,
  formatPercent,
  formatSeconds,
} from '#shared/units/format.ts'

/** A search for people: the best point, the Pareto front, what holds each point up. */
export function planText({ input, result, warnings }: PlanDocument): string {
  const { best, unreachable, front, searched, unfit } = result
  return [
    heading(input),
    best === null ? (unreachable ?? 'nothing found') : bestText(best),
    frontText(front),
    `${formatCount(searched, 'points')} searched, ${formatNumber(unfit.length)} of them do not run`,
    ...warningsSection(warnings),
  ].join('\n\n')
}

function heading({ system, model, deployment, search }: PlanInput): string {
  const { x, y } = system.chips
  const limits = [
    search.sloMs === undefined ? '' : `TPOT up to ${formatNumber(search.sloMs)} ms`,
    search.minTokensPerSecondPerChip === undefined
      ? ''
      : `at least ${formatNumber(search.minTokensPerSecondPerChip)} tokens/s per chip`,
  ].filter(text => text !== '')
  return (
    `Search for the best deployment of ${model.name} on ${system.name} (${String(x)} x ${String(y)})\n` +
    `KV ${String(deployment.kvLength)}, communication: ${deployment.communication}` +
    (limits.length > 0 ? `; ${limits.join(', ')}` : '')
  )
}

const splitText = ({ expertParallel, pipelineParallel }: PlanPoint): string =>
  `EP${String(expertParallel)}-PP${String(pipelineParallel)}`

function bestText(point: ExplainedPoint): string {
  const { bottleneck, changes } = point
  const table = textTable([
    ['Best', `${splitText(point)}, batch ${formatNumber(point.batchPerChip)}, ${point.attention}`],
    ['TPOT', formatSeconds(point.tpotSeconds)],
    ['Throughput per chip', `${formatNumber(point.tokensPerSecondPerChip)} tokens/s`],
    ['Throughput', `${formatNumber(point.systemTokensPerSecond)} tokens/s`],
    ['Memory', `${formatBytes(point.memoryBytes)} on the fullest chip`],
    [
      'Bottleneck',
      `${bottleneck.kind}, ${formatPercent(bottleneck.share)} of the time` +
        (bottleneck.kernel === null ? '' : `, most of it in ${bottleneck.kernel}`),
    ],
  ])
  const rows = changes.map(change => [
    change.label,
    gainText(change),
    formatSeconds(change.tpotSeconds),
    change.set.map(assignment => `--set ${assignment}`).join(' '),
  ])
  const changed = textTable([['CHANGE', 'GAIN', 'TPOT', ''], ...rows], ['left', 'right', 'right'])
  return `${table}\n\nWhat a change would bring, all else as it is\n${indented(changed)}`
}

const gainText = ({ gain }: PlanChange): string =>
  `${gain < 0 ? '−' : '+'}${formatPercent(Math.abs(gain))}`

function frontText(front: readonly ExplainedPoint[]): string {
  const rows = front.map(point => [
    formatNumber(point.tokensPerSecondPerUser),
    formatNumber(point.tokensPerSecondPerChip),
    formatSeconds(point.tpotSeconds),
    splitText(point),
    formatNumber(point.batchPerChip),
    point.attention,
    `${point.bottleneck.kind} ${formatPercent(point.bottleneck.share, 0)}`,
    point.nextChange === null ? 'none' : `${point.nextChange.label} ${gainText(point.nextChange)}`,
  ])
  const head = [
    ...['USER TOKENS/S', 'CHIP TOKENS/S', 'TPOT', 'SPLIT', 'BATCH', 'ATTENTION'],
    ...['BOTTLENECK', 'NEXT BEST CHANGE'],
  ]
  const table = textTable(
    [head, ...rows],
    ['right', 'right', 'right', 'left', 'right', 'left', 'left', 'left'],
  )
  return `Pareto front\n${indented(table)}`
}
