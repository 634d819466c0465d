/**
 * `npm run bench`: how fast the models and the browser host are on this machine. `--json` prints
 * one JSON document on standard output instead of the table. Nothing is asserted.
 */
import { cpus } from 'node:os'
import { MODEL_VERSION } from '#shared/model-version.ts'
import { benchDecodeEvent } from '#test/bench/bench-decode-event.ts'
import { benchDeployments } from '#test/bench/bench-deployments.ts'
import { benchEstimates, benchSweep } from '#test/bench/bench-estimates.ts'
import { benchEvent, benchEventGrowth, benchLongPrefill } from '#test/bench/bench-event.ts'
import { benchEventReference } from '#test/bench/bench-event-reference.ts'
import { benchReference } from '#test/bench/bench-reference.ts'
import { benchWindow } from '#test/bench/bench-window.ts'
import type { Measurement } from '#test/bench/measurement.ts'

const note = (text: string) => {
  process.stderr.write(`${text}\n`)
}

const measurements: readonly Measurement[] = [
  ...benchEstimates(),
  ...benchSweep(),
  ...benchDeployments(),
  ...benchDecodeEvent(),
  ...benchReference(),
  ...benchEvent(),
  ...benchLongPrefill(),
  ...benchEventReference(),
  ...benchEventGrowth(),
  await benchWindow(note),
]
const machine = {
  node: process.version,
  cpu: cpus()[0]?.model ?? 'unknown',
  cores: cpus().length,
  modelVersion: MODEL_VERSION,
}

if (process.argv.includes('--json')) {
  console.log(JSON.stringify({ ...machine, measurements }, null, 2))
} else {
  console.log(`Node ${machine.node}, ${machine.cpu}, model ${machine.modelVersion}\n`)
  const titleWidth = Math.max(...measurements.map(({ title }) => title.length))
  for (const measurement of measurements) {
    console.log(`${measurement.title.padEnd(titleWidth)}  ${valueOf(measurement)}`)
  }
}

function valueOf(measurement: Measurement): string {
  if (measurement.kind === 'left-out') return `left out: ${measurement.reason}`
  const { value, unit, target } = measurement
  const digits = value.toLocaleString('en', { maximumSignificantDigits: 3 })
  const verdict =
    target === undefined
      ? ''
      : ` (target ${String(target)} ${unit}: ${value <= target ? 'met' : 'missed'})`
  return `${digits} ${unit}${verdict}`
}
