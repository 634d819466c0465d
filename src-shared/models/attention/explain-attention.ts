import type { Chip } from '#shared/hardware/chip.ts'
import type { AttentionKernel } from '#shared/models/attention/attention-kernel.ts'
import { dimensionSymbols } from '#shared/models/attention/dimension-terms.ts'
import { explainBreakdown } from '#shared/models/attention/explain-breakdown.ts'
import { explainMapping } from '#shared/models/attention/explain-mapping.ts'
import {
  explainBound,
  explainHbmUtilization,
  explainMatrixUtilization,
  explainSeconds,
} from '#shared/models/explain-definitions.ts'
import { term } from '#shared/models/explanation-term.ts'
import { explainTraffic } from '#shared/models/attention/explain-traffic.ts'
import type { Dataflow } from '#shared/mapping/dataflow.ts'
import type { Explanation } from '#shared/results/explanation.ts'
import { causalPairs, queryPositions, type AttentionWorkload } from '#shared/workload/attention.ts'

const PAPER = 'arXiv 2604.02110'
const COUNTING = 'Counting; a multiply and an add are two FLOPs'

/** How each reported number of a kernel came about, with the values filled in. */
export function explainAttention(
  dataflow: Dataflow,
  kernel: AttentionKernel,
  chip: Chip,
): Explanation[] {
  return [
    ...explainRuntime(kernel, chip),
    ...explainUtilization(kernel, chip),
    ...explainWork(kernel),
    ...explainTraffic(dataflow, kernel, chip),
    ...explainBreakdown(dataflow, kernel, chip),
    explainBound(kernel.result.bound, kernel.time.time.components),
    ...explainMapping(dataflow, kernel, chip),
  ]
}

function explainRuntime({ result, time, shape }: AttentionKernel, chip: Chip): Explanation[] {
  const contended = shape.activeGroups > 1
  return [
    {
      field: 'cycles',
      label: 'Runtime in cycles',
      value: result.cycles,
      unit: 'cycles',
      formula: contended
        ? 'T = max(w · T_lock + (1 − w) · T_drift, T_min)'
        : `T = ${result.breakdown.map(({ component }) => component).join(' + ')}`,
      terms: contended
        ? [
            term(
              'w',
              'share of loads in lock-step',
              time.lockStepShare,
              '1',
              'measured drift of independent tiles, n0 = 32 loads',
            ),
            term(
              'T_lock',
              'all groups load at the same moments',
              time.lockStepCycles,
              'cycles',
              'phase model',
            ),
            term(
              'T_drift',
              'groups queue at independent moments',
              time.driftedCycles,
              'cycles',
              'mean value analysis of a closed network',
            ),
            term(
              'T_min',
              'all bytes at the peak of channels and links',
              time.floorCycles,
              'cycles',
              'chip.hbm, chip.noc.linkBits',
            ),
            term(
              'T_alone',
              'one group without contention',
              time.aloneCycles,
              'cycles',
              'phase model',
            ),
            term(
              's',
              'stretch by refresh, inside T_lock and T_drift',
              time.refreshStretch,
              '1',
              'JEDEC HBM2E timings',
            ),
          ]
        : result.breakdown.map(part =>
            term(
              part.component,
              `exposed ${part.component} time`,
              part.seconds * chip.clock,
              'cycles',
              `breakdown.${part.component}`,
            ),
          ),
      source: `${PAPER}, Fig. 4, as a sum of phases; contention between independent groups is Tessera's`,
    },
    explainSeconds(result, chip),
  ]
}

function explainUtilization({ result, costs, shape }: AttentionKernel, chip: Chip): Explanation[] {
  const hbmBytes = result.hbmReadBytes + result.hbmWriteBytes
  const dimensions = dimensionSymbols(shape.workload)
  return [
    explainMatrixUtilization(result, chip),
    {
      field: 'matrixActiveUtilization',
      label: 'Matrix utilisation while active',
      value: result.matrixActiveUtilization,
      unit: '1',
      formula:
        shape.columnBlocks > 0
          ? `U = ${dimensions.sum} · (Br · Bc / (H · W)) / (T_QK + T_PV)`
          : 'U = 0: without keys no matrix operation runs',
      terms: [
        term('Br', 'query rows of a slice', shape.sliceRows, 'rows', 'result.mapping.sliceRows'),
        term('Bc', 'KV columns of a slice', shape.sliceCols, 'columns', 'result.mapping.sliceCols'),
        ...dimensions.terms,
        term('H', 'array height', chip.matrixEngine.height, 'rows', 'chip.matrixEngine.height'),
        term('W', 'array width', chip.matrixEngine.width, 'columns', 'chip.matrixEngine.width'),
        term('T_QK', 'busy time of Q · Kᵀ', costs.scores, 'cycles', 'matrix engine model'),
        term('T_PV', 'busy time of P · V', costs.output, 'cycles', 'matrix engine model'),
      ],
      source: 'Public RedMulE performance model, exact for the measured shapes',
    },
    explainHbmUtilization(result),
    {
      field: 'arithmeticIntensity',
      label: 'Arithmetic intensity',
      value: result.arithmeticIntensity,
      unit: 'FLOP/B',
      formula: 'I = F / bytes',
      terms: [
        term('F', 'useful FLOPs', result.usefulFlops, 'FLOP', 'result.usefulFlops'),
        term('bytes', 'HBM traffic', hbmBytes, 'B', 'result.hbmReadBytes + result.hbmWriteBytes'),
      ],
      source: 'Definition, with the traffic that the dataflow causes',
    },
  ]
}

/** Pairs of a query and a key that it sees; with a mask, the last query sees all keys. */
function pairsFormula({ causal, kvLength, ...workload }: AttentionWorkload): string {
  if (!causal) return 'q · k'
  return queryPositions(workload) <= kvLength ? 'q · k − q · (q − 1) / 2' : 'k · (k + 1) / 2'
}

function explainWork({ result, shape }: AttentionKernel): Explanation[] {
  const { workload } = shape
  const dimensions = dimensionSymbols(workload)
  const queries = queryPositions(workload)
  const pairs = workload.causal
    ? causalPairs(queries, workload.kvLength)
    : queries * workload.kvLength
  return [
    {
      field: 'usefulFlops',
      label: 'Useful FLOPs',
      value: result.usefulFlops,
      unit: 'FLOP',
      formula: `F = ${dimensions.twiceSum} · pairs · heads · batch, pairs = ${pairsFormula(workload)}`,
      terms: [
        ...dimensions.terms,
        term(
          'q',
          'query positions',
          queries,
          'tokens',
          'workload.queryLength · workload.speculativeLength',
        ),
        term('k', 'KV length', workload.kvLength, 'tokens', 'workload.kvLength'),
        term('pairs', 'unmasked pairs', pairs, '1', 'counting'),
        term('heads', 'query heads', workload.heads, '1', 'workload.heads'),
        term('batch', 'sequences', workload.batch, '1', 'workload.batch'),
      ],
      source: COUNTING,
    },
    {
      field: 'executedFlops',
      label: 'Executed FLOPs',
      value: result.executedFlops,
      unit: 'FLOP',
      formula: `F = ${dimensions.twiceSum} · (Gy · Br) · (Gx · Bc) · blocks`,
      terms: [
        ...dimensions.terms,
        term(
          'Gy · Br',
          'rows of a block',
          result.mapping.blockRows,
          'rows',
          'result.mapping.blockRows',
        ),
        term(
          'Gx · Bc',
          'columns of a block',
          result.mapping.blockCols,
          'columns',
          'result.mapping.blockCols',
        ),
        term('blocks', 'blocks computed, padding included', shape.columnBlocks, '1', 'mapping'),
      ],
      source: COUNTING,
    },
  ]
}
