import type { Chip } from '#shared/hardware/chip.ts'
import type { ResultWarning } from '#shared/results/warning.ts'
import type { Collective } from '#shared/workload/collective.ts'

/** The longest line on which each was measured by itself; 0 where it never was. */
const measuredTiles = {
  hw: { multicast: 32, reduction: 32 },
  'sw-tree': { multicast: 32, reduction: 8 },
  'sw-seq': { multicast: 8, reduction: 8 },
  'sw-pipelined': { multicast: 4, reduction: 0 },
} as const

/** What the reader of a collective's result should know. */
export function collectiveWarnings(collective: Collective, chip: Chip): ResultWarning[] {
  const { operation, implementation, columns, rows, size } = collective
  const kind = operation === 'multicast' ? 'multicast' : 'reduction'
  const measured = measuredTiles[implementation][kind]
  const longest = Math.max(columns, rows)
  const buffers = kind === 'reduction' && implementation !== 'hw' ? 2 : 1
  const warnings: ResultWarning[] = []
  if (longest > 1 && longest > measured) {
    warnings.push({
      code: 'outside-validated-regime',
      message:
        measured === 0
          ? `an ${implementation} ${kind} was never measured by itself; the formula follows from its loop`
          : `an ${implementation} ${kind} was measured on at most ${String(measured)} tiles in a line, here are ${String(longest)}`,
    })
  }
  if (columns > 1 && rows > 1) {
    warnings.push({
      code: 'outside-validated-regime',
      message:
        'rows and then a column: each line was measured, their sequence over a group was not',
    })
  }
  if (buffers * size > chip.l1.capacity) {
    warnings.push({
      code: 'memory-capacity',
      message: `${String(buffers * size)} bytes of buffers exceed the ${String(chip.l1.capacity)} bytes of L1: a kernel would have to work in parts, each with its fixed cycles`,
    })
  }
  return warnings
}
