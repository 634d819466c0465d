import recorded from '#resources/published/decode-layer-wall-time-2025.json' with { type: 'json' }
import { runDecode } from '#shared/simulate/run-decode.ts'
import { finish } from '#shared/simulate/simulation.ts'
import { publishedDeployment } from '#shared/validation/validate-deployment.ts'
import { elapsedMs, type Measurement } from '#test/bench/measurement.ts'

const TARGET_SECONDS = 5

/** All kernels of a layer of the published wafer on the event engine, each shape once, from nothing. */
function layerSeconds(batchPerChip: number, kvLength: number): number {
  const input = publishedDeployment('wafer-1tb', { batchPerChip, kvLength })
  return elapsedMs(() => finish(runDecode({ ...input, engine: 'event' }))) / 1000
}

const layerLine = (batch: number, kvLength: number, value: number): Measurement => ({
  kind: 'measured',
  id: `event-decode-layer-${String(batch)}`,
  title: `one decode layer 32 x 32 on the event engine, batch ${String(batch)}, KV ${String(kvLength)}`,
  ...{ value, unit: 's', target: TARGET_SECONDS },
})

/** The batches that the reference simulator's time is known for, and the published operating point. */
export function benchDecodeEvent(): Measurement[] {
  layerSeconds(1, 1024)
  const known = recorded.rows.flatMap(([batch = 0, kvLength = 0, minutes = 0]): Measurement[] => {
    const value = layerSeconds(batch, kvLength)
    return [
      layerLine(batch, kvLength, value),
      {
        kind: 'measured',
        id: `event-decode-layer-${String(batch)}-reference`,
        title: `reference simulator over event engine, decode layer, batch ${String(batch)} (${String(minutes)} min)`,
        value: (60 * minutes) / value,
        unit: 'x',
      },
    ]
  })
  return [...known, layerLine(256, 4096, layerSeconds(256, 4096))]
}
