import type { Chip } from '#shared/hardware/chip.ts'
import { isFlash, type Dataflow } from '#shared/mapping/dataflow.ts'
import type { AttentionKernel } from '#shared/models/attention/attention-kernel.ts'
import { groupCollectives } from '#shared/models/attention/group-collectives.ts'
import { groupLoads } from '#shared/models/attention/group-loads.ts'
import type { BreakdownComponent } from '#shared/results/attention-result.ts'
import type { Explanation, ExplanationTerm } from '#shared/results/explanation.ts'
import { durationOf } from '#shared/units/convert.ts'
import { cycles } from '#shared/units/quantity.ts'

const term = (
  symbol: string,
  name: string,
  value: number,
  source: string,
  unit = 'cycles',
): ExplanationTerm => ({ symbol, name, value, unit, source })

const labels: Readonly<Record<BreakdownComponent, string>> = {
  matrix: 'Matrix time',
  vector: 'Exposed vector time',
  hbm: 'Exposed HBM time',
  multicast: 'Exposed multicast time',
  'max-reduction': 'Exposed maximum reductions',
  'sum-reduction': 'Exposed sum reductions',
  other: 'Other exposed time',
}

/** The parts of the runtime with the single steps that they are made of. */
export function explainBreakdown(
  dataflow: Dataflow,
  kernel: AttentionKernel,
  chip: Chip,
): Explanation[] {
  const { shape, time, result } = kernel
  const stepTerms = terms(dataflow, kernel, chip)
  const count = [
    term('n', 'column blocks of the busiest group', shape.columnBlocksPerGroup, 'mapping', '1'),
    term(
      'm',
      'row blocks of the busiest group that have keys',
      shape.busyRowBlocksPerGroup,
      'mapping',
      '1',
    ),
  ]
  return result.breakdown.map(({ component }) => {
    const part = time.time.components[component]
    return {
      field: `breakdown.${component}`,
      label: labels[component],
      value: durationOf(cycles(part), chip.clock),
      unit: 's',
      formula: formulas(dataflow)[component],
      terms: [term('T', 'in cycles', part, 'phase model'), ...count, ...stepTerms[component]],
      source:
        component === 'matrix'
          ? 'Public RedMulE performance model, exact for the measured shapes'
          : 'arXiv 2604.02110, Fig. 4; step times measured on the public reference simulator',
    }
  })
}

function formulas(dataflow: Dataflow): Record<BreakdownComponent, string> {
  const overlap =
    dataflow === 'flat-async'
      ? 'what outlasts the matrix operation that it runs beside'
      : 'all of it: nothing overlaps'
  const vector =
    dataflow === 'fa3' || dataflow === 'flat-async'
      ? 'what outlasts the matrix operation beside it, and what has none'
      : 'T = n · (rowMax + exp + rowSum) + (n − m) · (rescale + 2 · update) + m · divide'
  return {
    matrix: 'T = n · (T_QK + T_PV)',
    vector,
    hbm: isFlash(dataflow)
      ? 'loads of K and V per column block, of Q and stores of O per row block, with contention'
      : `loads of K, V and Q, stores of O, and contention between groups; ${overlap}`,
    multicast: `n · (K, V and the two state vectors) + m · Q; ${overlap}`,
    'max-reduction': `n · T_red(state vector); ${overlap}`,
    'sum-reduction': `n · T_red(state vector) + m · T_red(O); ${overlap}`,
    other: 'barriers, launches, transposition of K, clearing of buffers, synchronisation',
  }
}

function terms(
  dataflow: Dataflow,
  { shape, costs }: AttentionKernel,
  chip: Chip,
): Record<BreakdownComponent, ExplanationTerm[]> {
  const { softmax } = costs
  const group = groupCollectives(dataflow, shape, costs.element, chip)
  const loads = groupLoads(shape, isFlash(dataflow) ? 1 : shape.activeGroups, costs, chip)
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
      term('mc_Q', 'Q along the rows', group.rowMulticast(costs.rowOperand), 'collective model'),
      term(
        'mc_K',
        'K or V along the columns',
        group.columnMulticast(costs.columnOperand),
        'collective model',
      ),
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
      term('red_O', 'O over the row', group.rowReduction(costs.rowOperand), 'collective model'),
    ],
    other: [
      term('B', 'barrier of the group', group.barrier, 'chip.control'),
      term('launch', 'matrix launch', costs.launch, 'chip.matrixEngine.launchCycles'),
      term('T_tr', 'transposition of K', costs.keyTranspose, 'chip.kernels.keyTranspose'),
      term('clear', 'clearing of the scores', costs.clearScores, 'chip.l1.bytesPerCycle'),
    ],
  }
}
