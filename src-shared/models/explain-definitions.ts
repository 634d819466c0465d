import { chipFlopsPerCycle, type Chip } from '#shared/hardware/chip.ts'
import { boundShares } from '#shared/models/bound.ts'
import { term } from '#shared/models/explanation-term.ts'
import type { Bound, BreakdownComponent } from '#shared/results/attention-result.ts'
import type { Explanation } from '#shared/results/explanation.ts'

/** Numbers that every kernel has by definition, whatever its model. */
interface DefinedResult {
  readonly cycles: number
  readonly seconds: number
  readonly usefulFlops: number
  readonly matrixUtilization: number
  readonly hbmReadBytes: number
  readonly hbmWriteBytes: number
  readonly hbmBandwidthUtilization: number
  readonly peakHbmBytesPerSecond: number
}

/** Runtime in seconds from cycles and the clock. */
export const explainSeconds = (
  result: Pick<DefinedResult, 'cycles' | 'seconds'>,
  chip: Pick<Chip, 'clock'>,
): Explanation => ({
  field: 'seconds',
  label: 'Runtime',
  value: result.seconds,
  unit: 's',
  formula: 't = T / f',
  terms: [
    term('T', 'runtime in cycles', result.cycles, 'cycles', 'result.cycles'),
    term('f', 'clock', chip.clock, 'Hz', 'chip.clockGHz'),
  ],
  source: 'Definition',
})

/** Useful FLOPs over the dense peak times the runtime. */
export const explainMatrixUtilization = (
  result: Pick<DefinedResult, 'cycles' | 'usefulFlops' | 'matrixUtilization'>,
  chip: Chip,
): Explanation => ({
  field: 'matrixUtilization',
  label: 'Matrix utilisation',
  value: result.matrixUtilization,
  unit: '1',
  formula: 'U = F / (P · T)',
  terms: [
    term('F', 'useful FLOPs', result.usefulFlops, 'FLOP', 'result.usefulFlops'),
    term(
      'P',
      'dense peak per cycle',
      chipFlopsPerCycle(chip),
      'FLOP/cycle',
      'tiles · 2 · height · width',
    ),
    term('T', 'runtime in cycles', result.cycles, 'cycles', 'result.cycles'),
  ],
  source: 'Definition; peaks are dense',
})

/** HBM traffic over the peak of all channels times the runtime. */
export const explainHbmUtilization = (
  result: Omit<DefinedResult, 'cycles' | 'usefulFlops' | 'matrixUtilization'>,
): Explanation => ({
  field: 'hbmBandwidthUtilization',
  label: 'HBM bandwidth utilisation',
  value: result.hbmBandwidthUtilization,
  unit: '1',
  formula: 'U = bytes / (B · t)',
  terms: [
    term(
      'bytes',
      'HBM traffic',
      result.hbmReadBytes + result.hbmWriteBytes,
      'B',
      'result.hbmReadBytes + result.hbmWriteBytes',
    ),
    term('B', 'peak of all channels', result.peakHbmBytesPerSecond, 'B/s', 'chip.hbm'),
    term('t', 'runtime', result.seconds, 's', 'result.seconds'),
  ],
  source: 'Definition',
})

/** What binds a kernel; the value is the share of its runtime that is spent on that. */
export function explainBound(
  bound: Bound,
  components: Readonly<Record<BreakdownComponent, number>>,
): Explanation {
  const shares = boundShares(components)
  return {
    field: 'bound',
    label: `Share of the runtime: ${bound}`,
    value: shares[bound],
    unit: '1',
    formula: 'the largest of the four shares of the exposed time',
    terms: [
      term('compute', 'matrix and vector', shares.compute, '1', 'result.breakdown'),
      term('memory', 'HBM', shares.memory, '1', 'result.breakdown'),
      term('noc', 'multicasts and reductions', shares.noc, '1', 'result.breakdown'),
      term(
        'synchronization',
        'barriers, launches, other',
        shares.synchronization,
        '1',
        'result.breakdown',
      ),
    ],
    source: 'Definition',
  }
}
