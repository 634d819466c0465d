import type { Chip } from '#shared/hardware/chip.ts'
import { explainLine } from '#shared/models/collectives/explain-line.ts'
import { explainSeconds } from '#shared/models/explain-definitions.ts'
import { term } from '#shared/models/explanation-term.ts'
import type { CollectivePart, CollectiveResult } from '#shared/results/collective-result.ts'
import type { Explanation } from '#shared/results/explanation.ts'
import type { Collective } from '#shared/workload/collective.ts'

const field = ({ part }: CollectivePart): string => `parts.${part}`
const symbol = ({ part }: CollectivePart): string => (part === 'barrier' ? 'B' : `T_${part}`)

const names = {
  row: 'all rows at once',
  barrier: 'barrier between rows and column',
  column: 'the column',
} as const

/**
 * How each number of a collective came about, with the values filled in.
 *
 * @param partExplanations how the parts came about, where not by the formulas of the phase engine
 */
export function explainCollective(
  collective: Collective,
  result: CollectiveResult,
  chip: Chip,
  partExplanations?: readonly Explanation[],
): Explanation[] {
  const { parts } = result
  const sum = parts.map(symbol).join(' + ')
  return [
    {
      field: 'cycles',
      label: 'Runtime in cycles',
      value: result.cycles,
      unit: 'cycles',
      formula: parts.length > 0 ? `T = ${sum}` : 'T = 0: a single tile has nobody to talk to',
      terms: parts.map(part =>
        term(symbol(part), names[part.part], part.cycles, 'cycles', `result.${field(part)}`),
      ),
      source: 'Rows first, then a column; nothing overlaps',
    },
    ...(partExplanations ?? parts.map(part => explainLine(field(part), part, collective, chip))),
    explainSeconds(result, chip),
    {
      field: 'bandwidthBytesPerSecond',
      label: 'Bandwidth',
      value: result.bandwidthBytesPerSecond,
      unit: 'B/s',
      formula: result.seconds > 0 ? 'β = s / t' : 'β = 0: nothing has to move',
      terms: [
        term('s', 'bytes of one tile', collective.size, 'B', 'collective.bytes'),
        term('t', 'runtime', result.seconds, 's', 'result.seconds'),
      ],
      source: 'Definition: the message once, not once for each tile',
    },
    {
      field: 'steps',
      label: 'Steps that follow one another',
      value: result.steps,
      unit: '1',
      formula: parts.length > 0 ? `k = ${parts.map(stepSymbol).join(' + ')}` : 'k = 0',
      terms: parts.map(part =>
        term(
          stepSymbol(part),
          `steps of ${names[part.part]}`,
          part.steps,
          '1',
          stepRule(collective),
        ),
      ),
      source: 'Counting',
    },
  ]
}

const stepSymbol = ({ part }: CollectivePart): string => `k_${part}`

function stepRule({ implementation, operation }: Collective): string {
  switch (implementation) {
    case 'hw':
      return 'one for each line'
    case 'sw-tree':
      return '⌈log2 n⌉'
    case 'sw-seq':
      return 'n − 1'
    case 'sw-pipelined':
      return operation === 'multicast' ? 'σ + n − 1' : 'σ + n'
  }
}
