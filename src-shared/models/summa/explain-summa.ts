import type { Chip } from '#shared/hardware/chip.ts'
import {
  explainBound,
  explainHbmUtilization,
  explainMatrixUtilization,
  explainSeconds,
} from '#shared/models/explain-definitions.ts'
import { term } from '#shared/models/explanation-term.ts'
import { totalCycles } from '#shared/models/attention/timeline.ts'
import type { SummaKernel } from '#shared/models/summa/summa-kernel.ts'
import { explainSummaMapping } from '#shared/models/summa/explain-summa-mapping.ts'
import { componentLabels } from '#shared/results/attention-result.ts'
import type { Explanation } from '#shared/results/explanation.ts'
import { elementBytes } from '#shared/workload/attention.ts'

const KERNEL = 'Order of the steps in the public SUMMA kernel of arXiv 2604.02110'

/** How each reported number of a GEMM came about, with the values filled in. */
export function explainSumma(kernel: SummaKernel, chip: Chip): Explanation[] {
  return [
    ...explainRuntime(kernel, chip),
    explainMatrixUtilization(kernel.result, chip),
    explainHbmUtilization(kernel.result),
    ...explainWork(kernel),
    ...explainBreakdown(kernel, chip),
    ...explainSummaMapping(kernel.shape),
  ]
}

function explainRuntime({ result, time, shape }: SummaKernel, chip: Chip): Explanation[] {
  const { costs } = time
  return [
    {
      field: 'cycles',
      label: 'Runtime in cycles',
      value: result.cycles,
      unit: 'cycles',
      formula: `T = ${result.breakdown.map(({ component }) => component).join(' + ')}`,
      terms: [
        ...result.breakdown.map(part =>
          term(
            part.component,
            `exposed ${part.component} time`,
            part.seconds * chip.clock,
            'cycles',
            `breakdown.${part.component}`,
          ),
        ),
        term('T_mm', 'matrix operation of a step', costs.matrix, 'cycles', 'matrix engine model'),
        term(
          'D',
          'loads, multicasts and barrier of a step',
          totalCycles(costs.chain),
          'cycles',
          KERNEL,
        ),
        term('panels', 'panels of a group', shape.outputBlocks, '1', 'result.mapping.outputBlocks'),
        term('steps', 'steps of a panel', shape.steps, '1', 'result.mapping.steps'),
        term('s', 'stretch of the channels by refresh', time.stretch, '1', 'JEDEC HBM2E timings'),
      ],
      source: `${KERNEL}; what passes under a matrix operation is not exposed`,
    },
    explainSeconds(result, chip),
  ]
}

function explainWork({ result, shape, traffic }: SummaKernel): Explanation[] {
  const { m, n, k, batch, dtype } = shape.workload
  const sides = {
    m: term('m', 'rows', m, 'rows', 'workload.m'),
    n: term('n', 'columns', n, 'columns', 'workload.n'),
    k: term('k', 'contraction', k, 'elements', 'workload.k'),
    b: term('b', 'products', batch, '1', 'workload.batch'),
    e: term('e', 'bytes of an element', elementBytes(dtype), 'B', 'workload.dtype'),
  }
  return [
    {
      field: 'usefulFlops',
      label: 'Useful FLOPs',
      value: result.usefulFlops,
      unit: 'FLOP',
      formula: 'F = 2 · b · m · n · k',
      terms: [sides.b, sides.m, sides.n, sides.k],
      source: 'Counting; a multiply and an add are two FLOPs',
    },
    {
      field: 'executedFlops',
      label: 'Executed FLOPs',
      value: result.executedFlops,
      unit: 'FLOP',
      formula: 'F = 2 · b · m · n · k · p',
      terms: [
        sides.b,
        sides.m,
        sides.n,
        sides.k,
        term(
          'p',
          'padding to whole tiles and steps',
          result.executedFlops / result.usefulFlops,
          '1',
          'result.mapping',
        ),
      ],
      source: 'Counting',
    },
    {
      field: 'hbmReadBytes',
      label: 'HBM bytes read',
      value: result.hbmReadBytes,
      unit: 'B',
      formula: 'R = e · b · k · (m · c + n · r)',
      terms: [
        sides.e,
        sides.b,
        sides.k,
        sides.m,
        term(
          'c',
          'panels of columns: X is read for each',
          traffic.columnPanels,
          '1',
          'result.mapping',
        ),
        sides.n,
        term('r', 'panels of rows: W is read for each', shape.rowBlocks, '1', 'result.mapping'),
      ],
      source: 'Counting',
    },
    {
      field: 'hbmWriteBytes',
      label: 'HBM bytes written',
      value: result.hbmWriteBytes,
      unit: 'B',
      formula: 'Z = e · b · m · n',
      terms: [sides.e, sides.b, sides.m, sides.n],
      source: 'Counting; Z is written once',
    },
    {
      field: 'l1PeakBytes',
      label: 'L1 of a tile',
      value: result.l1PeakBytes,
      unit: 'B',
      formula: 'L1 = e · (2 · (tileM · tileK + tileK · tileN) + z · tileM · tileN)',
      terms: [
        sides.e,
        term('tileM', 'rows of a block', shape.tileM, 'rows', 'result.mapping.tileM'),
        term('tileK', 'contraction of a step', shape.tileK, 'elements', 'result.mapping.tileK'),
        term('tileN', 'columns of a block', shape.tileN, 'columns', 'result.mapping.tileN'),
        term(
          'z',
          'buffers of Z',
          shape.outputBlocks > 1 ? 2 : 1,
          '1',
          'result.mapping.outputBlocks',
        ),
      ],
      source: 'Buffers of the public SUMMA kernel',
    },
  ]
}

function explainBreakdown({ result, time }: SummaKernel, chip: Chip): Explanation[] {
  const parts = result.breakdown.map(({ component, seconds }): Explanation => {
    const contributions = time.time.contributions(component)
    const sum = contributions.map((_, index) => `n${String(index + 1)} · t${String(index + 1)}`)
    return {
      field: `breakdown.${component}`,
      label: `${componentLabels[component]}, exposed`,
      value: seconds,
      unit: 's',
      formula: `T = ${sum.length === 0 ? '0' : sum.join(' + ')}, t = T / f`,
      terms: [
        term('T', 'in cycles', time.time.components[component], 'cycles', 'phase model'),
        term('f', 'clock', chip.clock, 'Hz', 'chip.clockGHz'),
        ...contributions.flatMap(({ name, place, count, cycles }, index) => [
          term(`n${String(index + 1)}`, `times: ${place}`, count, '1', 'mapping'),
          term(`t${String(index + 1)}`, `exposed: ${name}`, cycles, 'cycles', 'phase model'),
        ]),
      ],
      source: `${KERNEL}; step times measured on the public reference simulator`,
    }
  })
  return [...parts, explainBound(result.bound, time.time.components)]
}
