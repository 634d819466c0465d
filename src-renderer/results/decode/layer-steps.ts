import type { LayerStep } from '#renderer/charts/kernel-time-option.ts'
import type { DecodeResult } from '#shared/results/decode-result.ts'

/** Steps below this part of the layer are drawn as one. */
const SMALL_SHARE = 0.01

/**
 * Mean time of each kernel in a layer of a stage, and of the exchanges, the longest first; small ones
 * of one kind together.
 */
export function layerSteps(
  { kernels, communication, pipeline }: DecodeResult,
  stage: number,
): LayerStep[] {
  const layers = pipeline.layersPerStage[stage] ?? 1
  const steps: LayerStep[] = [
    ...kernels
      .filter(row => row.stage === stage)
      .map(({ name, seconds, bound }) => ({
        label: name,
        seconds: seconds / layers,
        kind: bound === 'memory' ? ('memory' as const) : ('compute' as const),
      })),
    { label: 'dispatch', seconds: communication.dispatchSeconds, kind: 'communication' },
    { label: 'combine', seconds: communication.combineSeconds, kind: 'communication' },
  ]
  const total = steps.reduce((sum, { seconds }) => sum + seconds, 0)
  const isLarge = ({ seconds }: LayerStep) => seconds >= SMALL_SHARE * total
  const rests = (['compute', 'memory'] as const).flatMap((kind): LayerStep[] => {
    const small = steps.filter(step => step.kind === kind && !isLarge(step))
    const seconds = small.reduce((sum, step) => sum + step.seconds, 0)
    return seconds === 0
      ? []
      : [
          {
            label: `${String(small.length)} short ${small.length === 1 ? 'kernel' : 'kernels'}`,
            seconds,
            kind,
          },
        ]
  })
  return [
    ...steps.filter(step => isLarge(step)).toSorted((a, b) => b.seconds - a.seconds),
    ...rests,
  ]
}
