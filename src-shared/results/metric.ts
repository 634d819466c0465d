import type { AttentionResult } from '#shared/results/attention-result.ts'
import type { Explanation, ExplanationTerm } from '#shared/results/explanation.ts'

export interface Metric {
  readonly id: string
  readonly label: string
  /** As formatQuantity takes it: 's', 'B', '%' for a fraction, '1'. */
  readonly unit: string
  /** Which direction an architect wants; 'neither' where that depends. */
  readonly better: 'lower' | 'higher' | 'neither'
  readonly value: (result: AttentionResult) => number
  /** The field of the result document that the value is, where it is one. */
  readonly field?: keyof AttentionResult
  /** How the value follows from fields, where it is not one itself. */
  readonly derived?: {
    readonly formula: string
    readonly terms: (
      result: AttentionResult,
    ) => readonly Pick<ExplanationTerm, 'symbol' | 'name' | 'value' | 'unit' | 'source'>[]
  }
}

type NumericField = {
  [Key in keyof AttentionResult]: AttentionResult[Key] extends number ? Key : never
}[keyof AttentionResult]

const fieldMetric = (
  field: NumericField,
  id: string,
  label: string,
  unit: string,
  better: Metric['better'],
): Metric => ({ id, label, unit, better, field, value: result => result[field] })

/** Bytes read from and written to HBM. */
export const hbmTrafficBytes = (result: AttentionResult): number =>
  result.hbmReadBytes + result.hbmWriteBytes

/** Useful FLOPs per second. */
export const achievedFlopsPerSecond = (result: AttentionResult): number =>
  result.usefulFlops / result.seconds

/** The numbers of a run, in the order in which they are shown. */
export const metrics: readonly Metric[] = [
  fieldMetric('seconds', 'runtime', 'Runtime', 's', 'lower'),
  fieldMetric('cycles', 'cycles', 'Cycles', 'cycles', 'lower'),
  fieldMetric('matrixUtilization', 'matrix.utilization', 'Matrix utilisation', '%', 'higher'),
  fieldMetric(
    'matrixActiveUtilization',
    'matrix.active-utilization',
    'Matrix utilisation while active',
    '%',
    'higher',
  ),
  {
    id: 'throughput',
    label: 'Useful throughput',
    unit: 'FLOP/s',
    better: 'higher',
    value: achievedFlopsPerSecond,
    derived: {
      formula: 'usefulFlops / seconds',
      terms: result => [
        fieldTerm('usefulFlops', 'useful FLOPs', result.usefulFlops, 'FLOP'),
        fieldTerm('seconds', 'runtime', result.seconds, 's'),
      ],
    },
  },
  {
    id: 'hbm.traffic',
    label: 'HBM traffic',
    unit: 'B',
    better: 'lower',
    value: hbmTrafficBytes,
    derived: {
      formula: 'hbmReadBytes + hbmWriteBytes',
      terms: result => [
        fieldTerm('hbmReadBytes', 'HBM read', result.hbmReadBytes, 'B'),
        fieldTerm('hbmWriteBytes', 'HBM written', result.hbmWriteBytes, 'B'),
      ],
    },
  },
  fieldMetric('hbmReadBytes', 'hbm.read', 'HBM read', 'B', 'lower'),
  fieldMetric('hbmWriteBytes', 'hbm.written', 'HBM written', 'B', 'lower'),
  fieldMetric(
    'hbmBandwidthUtilization',
    'hbm.utilization',
    'HBM bandwidth utilisation',
    '%',
    'neither',
  ),
  fieldMetric('nocBytes', 'noc.traffic', 'NoC traffic', 'B', 'neither'),
  fieldMetric('l1PeakBytes', 'l1.peak', 'L1 peak use', 'B', 'lower'),
  fieldMetric(
    'arithmeticIntensity',
    'arithmetic-intensity',
    'Arithmetic intensity',
    'FLOP/B',
    'higher',
  ),
  fieldMetric('usefulFlops', 'flops.useful', 'Useful FLOPs', 'FLOP', 'neither'),
  fieldMetric('executedFlops', 'flops.executed', 'Executed FLOPs', 'FLOP', 'lower'),
]

/** @throws RangeError for an id that no metric has */
export function metricById(id: string): Metric {
  const metric = metrics.find(candidate => candidate.id === id)
  if (metric === undefined) throw new RangeError(`no metric is called ${id}`)
  return metric
}

/** How a metric of a result came about: what the model said, or how it follows from other fields. */
export function explanationOf(
  metric: Metric,
  result: AttentionResult,
  explanations: readonly Explanation[],
): Explanation | undefined {
  if (metric.derived === undefined) {
    const found = explanations.find(({ field }) => field === metric.field)
    return found && { ...found, unit: metric.unit }
  }
  return {
    field: metric.id,
    label: metric.label,
    value: metric.value(result),
    unit: metric.unit,
    formula: metric.derived.formula,
    terms: metric.derived.terms(result),
    source: 'Follows from the numbers of this result.',
  }
}

const fieldTerm = (
  field: NumericField,
  name: string,
  value: number,
  unit: string,
): ExplanationTerm => ({ symbol: field, name, value, unit, source: `result.${field}` })
