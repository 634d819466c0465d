import type { TradeOffCurve, TradeOffPoint } from '#renderer/charts/trade-off-option.ts'
import { measuredSystems, shortTitle } from '#renderer/results/decode/measured-systems.ts'
import { paretoFront } from '#shared/results/pareto-front.ts'
import type { PlanChoice, PlanPoint } from '#shared/results/plan-result.ts'

/** A curve with the choice behind each of its points. */
export interface ChoiceCurve extends TradeOffCurve {
  readonly choices: readonly PlanPoint[]
}

export const attentionLabels = {
  flat: 'FlatAttention',
  flash: 'FlashMLA',
  'flash-fair': 'FlashMLA, fair',
} as const

export const splitName = ({
  expertParallel,
  pipelineParallel,
}: Pick<PlanChoice, 'expertParallel' | 'pipelineParallel'>): string =>
  `EP${String(expertParallel)}-PP${String(pipelineParallel)}`

export const choiceName = (choice: PlanChoice): string =>
  `${splitName(choice)}, batch ${String(choice.batchPerChip)}, ${attentionLabels[choice.attention]}`

export const isSameChoice = (one: PlanChoice, other: PlanChoice): boolean =>
  choiceName(one) === choiceName(other)

export const tradeOffPoint = (
  label: string,
  point: Pick<PlanPoint, 'tpotSeconds' | 'tokensPerSecondPerChip'>,
): TradeOffPoint => ({
  label,
  tpotMs: point.tpotSeconds * 1000,
  tokensPerSecondPerChip: point.tokensPerSecondPerChip,
})

/**
 * A curve over the batches for each number of chips that share the experts, in the deepest pipeline
 * that runs with it, and for each dataflow; shorter pipelines side by side are one cloud of points.
 */
export function sweepCurves(points: readonly PlanPoint[]): ChoiceCurve[] {
  const deepest = new Map<number, number>()
  for (const { expertParallel, pipelineParallel } of points) {
    const before = deepest.get(expertParallel) ?? 0
    deepest.set(expertParallel, Math.max(before, pipelineParallel))
  }
  const isDeepest = (point: PlanPoint) =>
    point.pipelineParallel === deepest.get(point.expertParallel)
  const keys = new Map<string, PlanPoint[]>()
  for (const point of points.filter(isDeepest)) {
    const key = `${splitName(point)} ${point.attention}`
    keys.set(key, [...(keys.get(key) ?? []), point])
  }
  const whole = [...keys.values()].map((choices): ChoiceCurve => {
    const sorted = choices.toSorted((a, b) => a.batchPerChip - b.batchPerChip)
    const [first] = sorted
    return {
      name: first === undefined ? '' : splitName(first),
      kind: first?.attention === 'flat' ? 'flat' : 'flash',
      choices: sorted,
      points: labelled(sorted),
    }
  })
  const others = points.filter(point => !isDeepest(point))
  if (others.length === 0) return whole
  return [
    ...whole,
    { name: 'Shorter pipelines', kind: 'other', choices: others, points: labelled(others) },
  ]
}

const labelled = (points: readonly PlanPoint[]): TradeOffPoint[] =>
  points.map(point => tradeOffPoint(choiceName(point), point))

/** The points that no other one beats in both, the fastest for a user first. */
export const sweepFront = (points: readonly PlanPoint[]): PlanPoint[] =>
  paretoFront(points, {
    x: ({ tpotSeconds }) => -tpotSeconds,
    y: ({ tokensPerSecondPerChip }) => tokensPerSecondPerChip,
  }).toReversed()

/** The point of most throughput within a TPOT limit; undefined where none is. */
export const bestWithin = (
  points: readonly PlanPoint[],
  limitMs: number | undefined,
): PlanPoint | undefined =>
  points
    .filter(({ tpotSeconds }) => tpotSeconds * 1000 <= (limitMs ?? Infinity))
    .toSorted((a, b) => b.tokensPerSecondPerChip - a.tokensPerSecondPerChip)[0]

export const measuredPoints: readonly TradeOffPoint[] = measuredSystems.map(
  ({ title, tpotMs, tokensPerSecondPerChip }) => ({
    label: shortTitle(title),
    tpotMs,
    tokensPerSecondPerChip,
  }),
)
