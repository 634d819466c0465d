import { dataflowDescriptions } from '#shared/mapping/dataflow.ts'
import type { AttentionInput } from '#shared/schema/attention-input.ts'
import { formatNumber } from '#shared/units/format.ts'
import { regimePoints, type RegimePoint } from '#shared/validation/regime-points.ts'
import { regimeOf, type Regime } from '#shared/validation/regime-quantities.ts'

/** How far a configuration is from what was compared with published numbers. */
export type RegimeKind = 'inside' | 'near' | 'outside'

export interface RegimeVerdict {
  readonly kind: RegimeKind
  /** The set of `tessera validate` that has the nearest compared kernel. */
  readonly nearestSet: string
  /** In which respects that kernel is another, beyond what its measurement covers. */
  readonly differences: readonly string[]
}

/** Inside: no quantity of more than twice or less than half that of the compared kernel. */
const INSIDE_OCTAVES = 1
/** Near: none of more than four times or less than a quarter. */
const NEAR_OCTAVES = 2
/** Rounding of a ratio must not decide. */
const SLACK = 1e-9

const quantities = [
  { key: 'kvLength', label: 'KV length' },
  { key: 'queryRows', label: 'query rows' },
  { key: 'tiles', label: 'tiles' },
  { key: 'bytesPerTileCycle', label: 'HBM bytes per tile and cycle' },
  { key: 'matrixUnits', label: 'multiply-add units per tile' },
  { key: 'vectorUnits', label: 'vector FPUs per tile' },
  { key: 'linkBits', label: 'bits per link' },
  { key: 'headDim', label: 'head dimension' },
] as const satisfies readonly { readonly key: keyof Regime; readonly label: string }[]

let points: readonly RegimePoint[] | undefined

/**
 * Whether a kernel lies inside a regime in which the model was compared with published numbers, near
 * one, or outside of all.
 *
 * Inside: a compared kernel has the same variant, phase, dataflow, data type, mask and head dimension,
 * and each quantity within a factor of two: query rows, KV length, tiles, HBM bytes per tile and
 * cycle, multiply-add units, vector units, link width. Near: it has the same variant and phase, at
 * most one of dataflow, data type, mask and dimensions of MLA is another, and each quantity, the head
 * dimension among them, is within a factor of four. Outside: all else.
 *
 * Batch, heads and mapping do not count: they scale a kernel rather than change it.
 */
export function regimeVerdict(
  input: Pick<AttentionInput, 'chip' | 'workload' | 'dataflow'>,
): RegimeVerdict {
  const regime = regimeOf(input)
  points ??= regimePoints()
  const ranked = points.map(point => judged(regime, point))
  const best = ranked.reduce((a, b) => (b.distance < a.distance ? b : a))
  return { kind: best.kind, nearestSet: best.point.setId, differences: best.differences() }
}

interface Judged {
  readonly point: RegimePoint
  readonly kind: RegimeKind
  readonly distance: number
  readonly differences: () => readonly string[]
}

function judged(regime: Regime, point: RegimePoint): Judged {
  const other = [
    regime.dataflow === point.dataflow
      ? ''
      : `${dataflowDescriptions[regime.dataflow].label} instead of ${dataflowDescriptions[point.dataflow].label}`,
    regime.dtype === point.dtype
      ? ''
      : `${regime.dtype.toUpperCase()} instead of ${point.dtype.toUpperCase()}`,
    regime.causal === point.causal ? '' : 'a causal mask',
    regime.isDeepSeek === point.isDeepSeek ? '' : 'other dimensions than those of DeepSeek',
  ].filter(text => text !== '')
  const foreign = [
    regime.variant === point.variant
      ? ''
      : `${regime.variant.toUpperCase()} instead of ${point.variant.toUpperCase()}`,
    regime.phase === point.phase ? '' : `${regime.phase} instead of ${point.phase}`,
  ].filter(text => text !== '')
  const apart = quantities.map(({ key, label }) => ({
    octaves: Math.abs(Math.log2(regime[key] / point[key])),
    allowed: key === 'headDim' ? 0 : INSIDE_OCTAVES,
    text: () =>
      `${label}: ${formatNumber(regime[key], 3)}, compared at ${formatNumber(point[key], 3)}`,
  }))
  const farthest = Math.max(...apart.map(({ octaves }) => octaves))
  const beyond = apart.filter(({ octaves, allowed }) => octaves > allowed + SLACK)
  const isNear = foreign.length === 0 && other.length <= 1 && farthest <= NEAR_OCTAVES + SLACK
  const isInside = isNear && other.length === 0 && beyond.length === 0
  const kind = isInside ? 'inside' : isNear ? 'near' : 'outside'
  const rank = { inside: 0, near: 1, outside: 2 }[kind]
  return {
    ...{ point, kind },
    // First the verdict, then what is of another kind, then how far the rest is.
    distance: rank * 1e6 + (foreign.length * 10 + other.length) * 1e3 + sumOf(apart),
    differences: () => [...foreign, ...other, ...beyond.map(({ text }) => text())],
  }
}

const sumOf = (apart: readonly { readonly octaves: number }[]): number =>
  apart.reduce((sum, { octaves }) => sum + octaves, 0)

/** What each verdict means, in a sentence. */
export const regimeMeanings: Readonly<Record<RegimeKind, string>> = {
  inside: 'Kernels like this one were compared with published numbers.',
  near: 'Kernels similar to this one were compared with published numbers.',
  outside: 'No kernel like this one was compared with published numbers; the model extrapolates.',
}
