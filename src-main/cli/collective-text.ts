import { indented, textTable } from '#main/cli/text-table.ts'
import { warningsSection } from '#main/cli/warnings-text.ts'
import type { CollectiveDocument, CollectiveInput } from '#shared/schema/collective-input.ts'
import {
  formatByteRate,
  formatBytes,
  formatCount,
  formatCycles,
  formatNumber,
  formatSeconds,
} from '#shared/units/format.ts'

const implementationNames = {
  hw: 'in hardware',
  'sw-tree': 'in software, a tree',
  'sw-seq': 'in software, one by one',
  'sw-pipelined': 'in software, pipelined',
} as const

const partNames = { row: 'Along the rows', barrier: 'Barrier', column: 'Along a column' } as const

/** A result for people: time, bandwidth and steps, each with its unit. */
export function collectiveText({ input, result, warnings }: CollectiveDocument): string {
  const clock = `${formatCycles(result.cycles)} at ${formatNumber(input.chip.clockGHz)} GHz`
  const sections = [
    heading(input),
    textTable([
      ['Runtime', formatSeconds(result.seconds), clock],
      ['Bandwidth', formatByteRate(result.bandwidthBytesPerSecond), 'the message once, over time'],
      ['Steps', formatNumber(result.steps)],
    ]),
  ]
  if (result.parts.length > 1) {
    const rows = result.parts.map(({ part, participants, cycles }) => [
      partNames[part],
      formatCycles(cycles),
      formatCount(participants, 'tiles'),
    ])
    sections.push(`Parts\n${indented(textTable(rows, ['left', 'right', 'right']))}`)
  }
  sections.push(...warningsSection(warnings))
  return sections.join('\n\n')
}

function heading({ chip, collective }: CollectiveInput): string {
  const { operation, implementation, columns, rows, bytes, dtype, stages } = collective
  const pieces = stages === undefined ? '' : `, ${formatCount(stages, 'stages')}`
  const type = operation === 'multicast' ? '' : ` of ${dtype}`
  return (
    `${operation} ${implementationNames[implementation]}${pieces}, on ${chip.name}\n` +
    `${formatBytes(bytes)}${type}, ${String(columns)} x ${String(rows)} tiles`
  )
}
