import { indented, textTable } from '#main/cli/text-table.ts'
import type { DataflowCrossover, DataflowSelection } from '#shared/schema/attention-document.ts'
import { formatCycles, formatNumber, formatPercent, formatSeconds } from '#shared/units/format.ts'

/** The section on how `auto` came to its dataflow; no section where it was named. */
export function selectionSection(selection: DataflowSelection | undefined): string[] {
  if (selection === undefined) return []
  const { chosen, candidates, crossover } = selection
  const rows = candidates.map(candidate => {
    const { dataflow } = candidate
    if ('reason' in candidate) return [dataflow, '', '', candidate.reason]
    const { seconds, cycles, slowdown } = candidate
    return [
      dataflow,
      formatSeconds(seconds),
      formatCycles(cycles),
      dataflow === chosen ? 'chosen' : slowdownText(slowdown),
    ]
  })
  const table = textTable(rows, ['left', 'right', 'right'])
  return [`Dataflow by predicted time\n${indented(table)}`, crossoverText(chosen, crossover)]
}

/** How much slower something is than the best; a share that rounds to nothing is not printed as 0. */
export function slowdownText(slowdown: number): string {
  if (slowdown === 0) return 'as fast'
  return slowdown < 0.0005 ? 'under 0.1 % slower' : `${formatPercent(slowdown)} slower`
}

const axisTexts: Readonly<Record<DataflowCrossover['axis'], string>> = {
  sequenceLength: 'sequence length',
  kvLength: 'KV length',
}

function crossoverText(
  chosen: DataflowSelection['chosen'],
  { axis, from, to, changes, length }: DataflowCrossover,
): string {
  const range = `from ${formatNumber(from)} to ${formatNumber(to)} tokens`
  if (changes.length === 0) {
    return `Crossover along the ${axisTexts[axis]}\n  none ${range}: ${chosen} is the fastest throughout`
  }
  const rows = changes.map(change => [
    `at ${String(change.length)}`,
    `${change.before} gives way to ${change.after}`,
    change.length === length ? 'nearest between Flash and Flat' : '',
  ])
  const none = length === null ? ['none between Flash and Flat'] : []
  return [
    `Crossover along the ${axisTexts[axis]}, ${range}`,
    ...[textTable(rows), ...none].map(text => indented(text)),
  ].join('\n')
}
