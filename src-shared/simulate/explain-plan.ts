import { term } from '#shared/models/explanation-term.ts'
import type { Explanation } from '#shared/results/explanation.ts'
import type { ExplainedPoint } from '#shared/results/plan-result.ts'
import type { PlanInput } from '#shared/schema/plan-input.ts'

/** How the best point was found, and what its next change rests on. */
export function explainPlan(best: ExplainedPoint, { search }: PlanInput): Explanation[] {
  const { nextChange, bottleneck } = best
  const isLimited = search.sloMs !== undefined
  const throughput = term(
    'R',
    'throughput per chip',
    best.tokensPerSecondPerChip,
    '1/s',
    'result.best',
  )
  return [
    {
      ...{ field: 'best.tokensPerSecondPerChip', label: 'Throughput per chip', unit: '1/s' },
      value: best.tokensPerSecondPerChip,
      formula:
        isLimited || search.minTokensPerSecondPerChip === undefined
          ? 'max R over the points with TPOT ≤ limit'
          : 'R of the point with the least TPOT and R ≥ limit',
      terms: [
        throughput,
        term('TPOT', 'time per output token', best.tpotSeconds, 's', 'result.best.tpotSeconds'),
        ...(isLimited
          ? [term('limit', 'TPOT limit', (search.sloMs ?? 0) / 1000, 's', 'search.sloMs')]
          : []),
      ],
      source: 'Each point is what tessera decode gives for it',
    },
    {
      ...{ field: 'best.bottleneck.share', label: 'Share of the bottleneck', unit: '%' },
      ...{ value: bottleneck.share, formula: 'time of the kernels with this bound / iteration' },
      ...{ terms: [], source: 'Kernels of the slowest stage by their bound; waits beside them' },
    },
    ...(nextChange === null
      ? []
      : [
          {
            ...{ field: 'best.nextChange.gain', label: 'Gain of the next change', unit: '%' },
            ...{ value: nextChange.gain, formula: 'R′ / R − 1' },
            terms: [
              term(
                'R′',
                'throughput with the change',
                nextChange.tokensPerSecondPerChip,
                '1/s',
                nextChange.set.join(' '),
              ),
              throughput,
            ],
            source: 'The point simulated again with the change, all else as it is',
          },
        ]),
  ]
}
