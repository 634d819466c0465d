import figure from '#resources/published/fig12-averages-2026.json' with { type: 'json' }
import { fig12Points } from '#shared/validation/fig12-points.ts'
import {
  compared,
  comparedInPoints,
  meanOf,
  spreadOf,
  validationSet,
  type ValidationSet,
} from '#shared/validation/validation-set.ts'

const { quantities } = figure

/** The averages that the paper prints of Fig. 12, over the points that have a model. */
export function validateFig12(): ValidationSet[] {
  const points = fig12Points()
  const compute = points
    .filter(({ label }) => label === 'compute')
    .map(({ result }) => 100 * result.matrixUtilization)
  const memory = points
    .filter(({ label }) => label === 'memory')
    .map(({ result }) => 100 * result.hbmBandwidthUtilization)
  const speedUps = points.flatMap(({ speedUp }) => (speedUp === undefined ? [] : [speedUp]))
  return [
    validationSet({
      id: 'fig12-averages-2026',
      title: 'Fig. 12 on 4 TB/s: averages of the faster of FlatHC and FlatAsync',
      source: figure.source,
      target: { meanAbsoluteError: 0.08, largestError: 0.16 },
      rows: [
        {
          ...comparedInPoints(
            'matrix utilisation of the compute-bound points, mean',
            meanOf(compute),
            quantities.meanComputeBoundUtilisationPercent,
          ),
          spread: spreadOf(compute),
        },
        comparedInPoints(
          'matrix utilisation of the compute-bound points, best',
          Math.max(...compute),
          quantities.bestComputeBoundUtilisationPercent,
        ),
        {
          ...comparedInPoints(
            'HBM bandwidth of the memory-bound points, mean',
            meanOf(memory),
            quantities.meanMemoryBoundBandwidthPercent,
          ),
          spread: spreadOf(memory),
        },
        comparedInPoints(
          'HBM bandwidth of the memory-bound points, best',
          Math.max(...memory),
          quantities.bestMemoryBoundBandwidthPercent,
        ),
        {
          ...compared(
            'throughput over the measured GH200, mean',
            'x',
            meanOf(speedUps),
            quantities.meanSpeedUpOverGh200,
          ),
          spread: spreadOf(speedUps),
        },
      ],
    }),
  ]
}
