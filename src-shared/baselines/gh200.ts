import { gh200Series, type Gh200Point, type Gh200Series } from '#shared/baselines/gh200-series.ts'
import { formatNumber } from '#shared/units/format.ts'
import type { AttentionWorkload } from '#shared/workload/attention.ts'

interface Gh200Known {
  readonly series: Gh200Series
  readonly length: number
  readonly tflops: number
}

/** What is known of a GH200 for a workload: measured, between two measurements, or nothing. */
export type Gh200Baseline =
  | (Gh200Known & { readonly kind: 'measured' })
  | (Gh200Known & {
      readonly kind: 'interpolated'
      /** The measured neighbours, the shorter first. */
      readonly between: readonly [Gh200Point, Gh200Point]
    })
  | {
      readonly kind: 'none'
      /** Measurements of the same kind, all shorter or all longer; undefined where there are none. */
      readonly series: Gh200Series | undefined
    }

/**
 * The throughput of a GH200 for a workload: the measured point of the same shape, else a value
 * between the two measured points on either side; outside them nothing is said.
 *
 * The axis of the interpolation is the sequence length in prefill and the KV length in decode; all
 * else that the source gives must be equal. Prefill must be square, as it was measured.
 */
export function gh200Baseline(workload: AttentionWorkload): Gh200Baseline {
  const series = gh200Series.find(candidate => isOfKind(candidate, workload))
  if (series === undefined) return { kind: 'none', series }
  const length = workload.kvLength
  const measured = series.points.find(point => point.length === length)
  if (measured !== undefined) return { kind: 'measured', series, ...measured }
  const after = series.points.findIndex(point => point.length > length)
  const below = series.points[after - 1]
  const above = series.points[after]
  if (below === undefined || above === undefined) return { kind: 'none', series }
  const tflops = interpolatedTflops(length, below, above)
  return { kind: 'interpolated', series, length, tflops, between: [below, above] }
}

function isOfKind({ kind }: Gh200Series, workload: AttentionWorkload): boolean {
  const isSquare = workload.queryLength === workload.kvLength
  if (workload.phase === 'prefill' && !isSquare) return false
  return (Object.keys(kind) as (keyof typeof kind)[]).every(
    field => kind[field] === workload[field],
  )
}

/**
 * Throughput P at length L between two measured points.
 *
 *   1/P = w/P₁ + (1 − w)/P₂        w = (1/L − 1/L₂) / (1/L₁ − 1/L₂)
 *
 * P₁, P₂  measured throughput of the shorter and the longer point     L₁, L₂  their lengths
 * The time per FLOP is linear in 1/L: a kernel takes a time in proportion to its FLOPs and a share
 * of constant cost beside it (a launch and the filling of the pipeline for each decode step; for
 * each block of query rows in prefill), which longer rows spread over more FLOPs.
 *
 * Holds when: L₁ < L < L₂, and the kernel does not change its mapping between them.
 * Checked by: test/src-shared/baselines/gh200.test.ts, where each inner point is left out and
 *   interpolated from its neighbours.
 */
export function interpolatedTflops(length: number, below: Gh200Point, above: Gh200Point): number {
  const weight = (1 / length - 1 / above.length) / (1 / below.length - 1 / above.length)
  return 1 / (weight / below.tflops + (1 - weight) / above.tflops)
}

/** The letter that papers use for the length that varies. */
const lengthText = ({ kind }: Gh200Series, length: number): string =>
  `${kind.phase === 'prefill' ? 'S' : 'KV'} ${formatNumber(length)}`

/** Where a number comes from, in a few words: 'measured', 'interpolated between S 2,048 and 4,096'. */
export function gh200Origin(baseline: Gh200Baseline): string {
  if (baseline.kind === 'measured') return 'measured'
  if (baseline.kind === 'interpolated') {
    const [below, above] = baseline.between
    return `interpolated between ${lengthText(baseline.series, below.length)} and ${formatNumber(above.length)}`
  }
  if (baseline.series === undefined) return 'nothing of this kind was measured'
  const { points } = baseline.series
  const from = lengthText(baseline.series, points.at(0)?.length ?? 0)
  const to = formatNumber(points.at(-1)?.length ?? 0)
  return `outside the measured range, ${from} to ${to}`
}

/** The shape of a known point, as charts label it: 'D 128 S 4,096'. */
export function gh200Shape(baseline: Gh200Known): string {
  const { kind } = baseline.series
  const headDim = kind.headDim === undefined ? '' : `D ${String(kind.headDim)} `
  const speculation = kind.speculativeLength > 1 ? `sp ${String(kind.speculativeLength)} ` : ''
  const phase = kind.phase === 'decode' ? `${kind.variant.toUpperCase()} ` : ''
  return `${phase}${headDim}${speculation}${lengthText(baseline.series, baseline.length)}`
}
