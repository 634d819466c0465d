import type { AttentionResult } from '#shared/results/attention-result.ts'
import { metrics, type Metric } from '#shared/results/metric.ts'

export type Verdict = 'better' | 'worse' | 'equal' | 'different'

export interface MetricDelta {
  readonly metric: Metric
  readonly baseline: number
  readonly value: number
  /** Fraction of the baseline: 0.1 is ten percent more; undefined where the baseline is zero. */
  readonly change: number | undefined
  readonly verdict: Verdict
}

/** Every metric of a result against the same metric of a baseline. */
export function compare(baseline: AttentionResult, other: AttentionResult): MetricDelta[] {
  return metrics.map(metric => metricDelta(metric, metric.value(baseline), metric.value(other)))
}

export function metricDelta(metric: Metric, baseline: number, value: number): MetricDelta {
  const change = relativeChange(baseline, value)
  return { metric, baseline, value, change, verdict: verdictOf(metric, baseline, value) }
}

/** How many times as fast as the baseline; undefined where one of them took no time. */
export function speedUp(
  baseline: Pick<AttentionResult, 'seconds'>,
  other: Pick<AttentionResult, 'seconds'>,
): number | undefined {
  const ratio = baseline.seconds / other.seconds
  return Number.isFinite(ratio) && ratio > 0 ? ratio : undefined
}

export interface ConfigurationDifference {
  readonly path: readonly string[]
  /** One for each configuration, in their order; undefined where it has no such member. */
  readonly values: readonly unknown[]
}

/** The members in which configurations differ, in the order in which they first occur. */
export function configurationDifferences(
  configurations: readonly unknown[],
): ConfigurationDifference[] {
  const byPath = configurations.map(
    configuration => new Map(leavesOf(configuration, []).map(leaf => [leaf.key, leaf])),
  )
  const all = new Map(byPath.flatMap(leaves => [...leaves]))
  return [...all.values()].flatMap(({ key, path }) => {
    const values = byPath.map(leaves => leaves.get(key)?.value)
    return values.every(value => Object.is(value, values[0])) ? [] : [{ path, values }]
  })
}

interface Leaf {
  readonly key: string
  readonly path: readonly string[]
  readonly value: unknown
}

function leavesOf(value: unknown, path: readonly string[]): Leaf[] {
  if (typeof value !== 'object' || value === null) {
    return value === undefined ? [] : [{ key: JSON.stringify(path), path, value }]
  }
  return Object.entries(value).flatMap(([key, member]) => leavesOf(member, [...path, key]))
}

function relativeChange(baseline: number, value: number): number | undefined {
  if (baseline === value) return 0
  const change = (value - baseline) / Math.abs(baseline)
  return Number.isFinite(change) ? change : undefined
}

function verdictOf(metric: Metric, baseline: number, value: number): Verdict {
  if (Object.is(baseline, value) || baseline === value) return 'equal'
  if (metric.better === 'neither' || Number.isNaN(baseline) || Number.isNaN(value)) {
    return 'different'
  }
  return value > baseline === (metric.better === 'higher') ? 'better' : 'worse'
}
