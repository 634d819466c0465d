import type { EventReport } from '#shared/results/event-report.ts'
import type { ResultWarning } from '#shared/results/warning.ts'
import { formatPercent } from '#shared/units/format.ts'

/**
 * Says how much of a kernel was simulated, if not all of it.
 *
 * @param iterationName what an iteration is: 'column blocks'
 * @param owner whose they are
 */
export function extrapolationWarnings(
  event: EventReport,
  spent: number,
  iterationName: string,
  owner: 'group' | 'tile' = 'group',
): ResultWarning[] {
  if (event.simulatedIterations >= event.iterations) return []
  return [
    {
      code: 'extrapolated',
      message:
        `${String(event.simulatedIterations)} of ${String(event.iterations)} ${iterationName} of a ${owner} ` +
        `were simulated; the other ${formatPercent(1 - event.simulatedCycles / spent)} of the runtime ` +
        'follows from their steady state',
    },
  ]
}
