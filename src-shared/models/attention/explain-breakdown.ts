import type { Chip } from '#shared/hardware/chip.ts'
import { isFlash, type Dataflow } from '#shared/mapping/dataflow.ts'
import type { AttentionKernel } from '#shared/models/attention/attention-kernel.ts'
import { groupCollectives } from '#shared/models/attention/group-collectives.ts'
import { groupLoads } from '#shared/models/attention/group-loads.ts'
import { sharingGroups } from '#shared/models/attention/kernel-shape.ts'
import { latentStepTerms } from '#shared/models/attention/explain-latent-steps.ts'
import type { Contribution } from '#shared/models/attention/timeline.ts'
import type { BreakdownComponent } from '#shared/results/attention-result.ts'
import type { Explanation, ExplanationTerm } from '#shared/results/explanation.ts'
import { durationOf } from '#shared/units/convert.ts'
import { cycles } from '#shared/units/quantity.ts'
import { isAbsorbed } from '#shared/workload/attention.ts'

const term = (
  symbol: string,
  name: string,
  value: number,
  source: string,
  unit = 'cycles',
): ExplanationTerm => ({ symbol, name, value, unit, source })

/** A formula, and the values of the symbols in it. */
interface Sum {
  readonly formula: string
  readonly terms: readonly ExplanationTerm[]
}

const labels: Readonly<Record<BreakdownComponent, string>> = {
  matrix: 'Matrix time',
  vector: 'Exposed vector time',
  hbm: 'Exposed HBM time',
  multicast: 'Exposed multicast time',
  'max-reduction': 'Exposed maximum reductions',
  'sum-reduction': 'Exposed sum reductions',
  other: 'Other exposed time',
}

/**
 * The parts of the runtime: closed formulas where nothing overlaps, else the sum of what every kind
 * of phase leaves exposed, and the whole length of the steps for comparison.
 */
export function explainBreakdown(
  dataflow: Dataflow,
  kernel: AttentionKernel,
  chip: Chip,
): Explanation[] {
  const { time, result } = kernel
  const absorbed = isAbsorbed(kernel.shape.workload)
  const steps = absorbed
    ? latentStepTerms(dataflow, kernel, chip)
    : stepTerms(dataflow, kernel, chip)
  const isClosed = (component: BreakdownComponent) =>
    component === 'matrix' ||
    (component === 'vector' && !absorbed && dataflow !== 'fa3' && dataflow !== 'flat-async')
  return result.breakdown.map(({ component }) => {
    const part = time.time.components[component]
    const sum = isClosed(component)
      ? closedSum(component, kernel)
      : exposedSum(time.time.contributions(component))
    return {
      field: `breakdown.${component}`,
      label: labels[component],
      value: durationOf(cycles(part), chip.clock),
      unit: 's',
      formula: `T = ${sum.formula}, t = T / f`,
      terms: [
        term('T', 'in cycles', part, 'phase model'),
        term('f', 'clock', chip.clock, 'chip.clockGHz', 'Hz'),
        ...sum.terms,
        ...steps[component],
      ],
      source:
        component === 'matrix'
          ? 'Public RedMulE performance model, exact for the measured shapes'
          : 'arXiv 2604.02110, Fig. 4; step times measured on the public reference simulator',
    }
  })
}

/** Nothing overlaps: every step counts as often as it runs. */
function closedSum(component: BreakdownComponent, { shape }: AttentionKernel): Sum {
  const n = term(
    'n',
    'column blocks of the busiest group',
    shape.columnBlocksPerGroup,
    'mapping',
    '1',
  )
  const m = term(
    'm',
    'row blocks of the busiest group that have keys',
    shape.busyRowBlocksPerGroup,
    'mapping',
    '1',
  )
  return component === 'matrix'
    ? { formula: 'n · (T_QK + T_PV)', terms: [n] }
    : {
        formula: 'n · (rowMax + exp + rowSum) + (n − m) · (rescale + 2 · update) + m · divide',
        terms: [n, m],
      }
}

/** What every operation leaves exposed, times how often it does. */
function exposedSum(contributions: readonly Contribution[]): Sum {
  if (contributions.length === 0) return { formula: '0', terms: [] }
  return {
    formula: contributions
      .map((_, index) => `n${String(index + 1)} · t${String(index + 1)}`)
      .join(' + '),
    terms: contributions.flatMap(({ name, place, count, cycles: exposed }, index) => [
      term(`n${String(index + 1)}`, `times: ${place}`, count, 'mapping', '1'),
      term(`t${String(index + 1)}`, `exposed: ${name}`, exposed, 'phase model'),
    ]),
  }
}

/** Whole length of the steps, hidden or not. */
function stepTerms(
  dataflow: Dataflow,
  { shape, costs, time }: AttentionKernel,
  chip: Chip,
): Record<BreakdownComponent, ExplanationTerm[]> {
  const { softmax } = costs
  const group = groupCollectives(dataflow, shape, costs.element, chip)
  const loads = groupLoads(
    shape,
    isFlash(dataflow) ? 1 : sharingGroups(shape),
    costs,
    chip,
    time.closedRows,
  )
  const alone = isFlash(dataflow) ? 'one tile alone' : 'all groups at once'
  return {
    matrix: [
      term('T_QK', 'one Q · Kᵀ of a slice', costs.scores, 'matrix engine model'),
      term('T_PV', 'one P · V of a slice', costs.output, 'matrix engine model'),
    ],
    vector: [
      term('rowMax', 'scale and row maxima', softmax.rowMax, 'vector engine model'),
      term('exp', 'exponentials', softmax.exp, 'vector engine model'),
      term('rowSum', 'row sums', softmax.rowSum, 'vector engine model'),
      term('rescale', 'rescaling of O', softmax.rescale, 'vector engine model'),
      term('update', 'update of one state vector', softmax.stateUpdate, 'vector engine model'),
      term('divide', 'division of O', softmax.divide, 'vector engine model'),
    ],
    hbm: [
      term('t_Q', `load of Q, ${alone}`, loads.query, 'HBM model'),
      term('t_K', `load of K, ${alone}`, loads.key, 'HBM model'),
      term('t_V', `load of V, ${alone}`, loads.value, 'HBM model'),
      term('t_O', `store of O, ${alone}`, loads.outputStore, 'HBM model'),
    ],
    multicast: [
      term('mc_Q', 'Q along the rows', group.rowMulticast(costs.query), 'collective model'),
      term('mc_K', 'K along the columns', group.columnMulticast(costs.key), 'collective model'),
      term('mc_V', 'V along the columns', group.columnMulticast(costs.value), 'collective model'),
      term(
        'mc_m',
        'a state vector along the rows',
        group.rowMulticast(costs.stateVector),
        'collective model',
      ),
    ],
    'max-reduction': [
      term(
        'red_m',
        'row maxima over the row',
        group.rowReduction(costs.stateVector),
        'collective model',
      ),
    ],
    'sum-reduction': [
      term(
        'red_l',
        'row sums over the row',
        group.rowReduction(costs.stateVector),
        'collective model',
      ),
      term('red_O', 'O over the row', group.rowReduction(costs.outputRows), 'collective model'),
    ],
    other: [
      term('B', 'barrier of the group', group.barrier, 'chip.control'),
      term('launch', 'matrix launch', costs.launch, 'chip.matrixEngine.launchCycles'),
      term('T_tr', 'transposition of K', costs.keyTranspose, 'chip.kernels.keyTranspose'),
      term('clear', 'clearing of the scores', costs.clearScores, 'chip.l1.bytesPerCycle'),
    ],
  }
}
