import { planDecode } from '#shared/simulate/plan-decode.ts'
import { decodeCache, estimateDecode } from '#shared/simulate/run-decode.ts'
import { finish } from '#shared/simulate/simulation.ts'
import { publishedDeployment } from '#shared/validation/validate-deployment.ts'
import { elapsedMs, type Measurement } from '#test/bench/measurement.ts'

const splits = [1, 2, 4, 8, 16, 32, 64]
const batches = Array.from({ length: 12 }, (_, power) => 2 ** power)
const TARGET_SECONDS = 10

/** Fig. 13 of arXiv 2604.02110, and a search over all splits of 64 chips, from nothing. */
export function benchDeployments(): Measurement[] {
  const figure = elapsedMs(() => {
    const cache = decodeCache()
    for (const expertParallel of splits) {
      for (const batchPerChip of batches) {
        for (const attention of ['flat', 'flash'] as const) {
          estimateDecode(
            publishedDeployment('wafer-1tb', {
              ...{ expertParallel, batchPerChip, attention, ignoreCapacity: true },
              pipelineParallel: Math.min(61, 64 / expertParallel),
            }),
            cache,
          )
        }
      }
    }
  })
  const search = elapsedMs(() => {
    const { system, model, deployment } = publishedDeployment('wafer-1tb', {})
    finish(
      planDecode({
        ...{ kind: 'plan', engine: 'phase', system, model, deployment },
        search: { batches, attentions: ['flat', 'flash', 'flash-fair'], sloMs: 50 },
      }),
    )
  })
  return [
    {
      kind: 'measured',
      id: 'fig13-sweep',
      title: 'Fig. 13: 7 splits x 12 batches x 2 dataflows, phase engine',
      value: figure / 1000,
      unit: 's',
      target: TARGET_SECONDS,
    },
    {
      kind: 'measured',
      id: 'plan-64-chips',
      title: 'search for the best deployment on 64 chips, 1,008 points',
      value: search / 1000,
      unit: 's',
      target: TARGET_SECONDS,
    },
  ]
}
