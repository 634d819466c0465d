import allToAllRuns from '#resources/published/chip-to-chip-all-to-all-2026.json' with { type: 'json' }
import balancedRuns from '#resources/published/chip-to-chip-balanced-2026.json' with { type: 'json' }
import calibration from '#resources/published/chip-to-chip-calibration-2026.json' with { type: 'json' }
import dispatchRuns from '#resources/published/chip-to-chip-dispatch-2026.json' with { type: 'json' }
import type { Engine } from '#shared/schema/engine-field.ts'
import {
  allToAll,
  publishedDispatch,
  streamTo,
  timeOf,
  waferOf,
  type ExchangeEngine,
} from '#shared/validation/published-wafer.ts'
import { validateD2dCharts } from '#shared/validation/validate-d2d-charts.ts'
import {
  compared,
  exactly,
  meanOf,
  spreadOf,
  validationSet,
  type ValidationRow,
  type ValidationSet,
} from '#shared/validation/validation-set.ts'

/** Choices of a random dispatch over which the mean is taken. */
const SEEDS = [1, 2, 3]

const inNanoseconds = (seconds: number): number => seconds / 1e-9

function calibrationRows(): ValidationRow[] {
  return calibration.rows.flatMap(row => {
    const value = (column: string) => row[calibration.columns.indexOf(column)] ?? NaN
    const [x, y] = [value('x'), value('y')]
    const wafer = waferOf(x, y, {
      portLatencyNs: calibration.portLatencyNs,
      linkGBps: value('linkGBps'),
      flitBytes: value('flitBytes'),
      linkLatencyNs: value('linkLatencyNs'),
      fifoFlits: value('fifoFlits'),
      creditBatch: value('creditBatch'),
    })
    const exchange = streamTo(value('destination'), value('flits'), x * y)
    const time = timeOf(exchange, wafer, 'event')
    const name = `${String(value('flits'))} flits of ${String(value('flitBytes'))} B to chip ${String(value('destination'))}, ${String(value('linkGBps'))} GB/s, ${String(value('linkLatencyNs'))} ns, FIFO ${String(value('fifoFlits'))}, batch ${String(value('creditBatch'))}`
    return [
      compared(`${name}: data`, 'ns', time.lastData, value('lastDataNs')),
      compared(`${name}: acknowledged`, 'ns', time.acknowledged, value('acknowledgedNs')),
    ]
  })
}

function allToAllRows(engine: ExchangeEngine): ValidationRow[] {
  const { x, y, ...links } = allToAllRuns.system
  const wafer = waferOf(x, y, links)
  return allToAllRuns.rows.flatMap(([size, flits, lastData, acknowledged]) => {
    const time = timeOf(allToAll(x * y, flits ?? NaN), wafer, engine)
    const name = `all to all, ${String(size)} B per chip`
    return [
      ...(typeof lastData === 'number'
        ? [compared(`${name}: data`, 'ns', time.lastData, lastData)]
        : []),
      compared(`${name}: acknowledged`, 'ns', time.acknowledged, acknowledged ?? NaN),
    ]
  })
}

function balancedRows(engine: ExchangeEngine): ValidationRow[] {
  return balancedRuns.rows.map(
    ([expertParallel, x = NaN, y = NaN, tokens = NaN, linkGBps = NaN, acknowledged = NaN]) => {
      const wafer = waferOf(x, y, { ...balancedRuns.system, linkGBps })
      const { acknowledgedSeconds } = publishedDispatch(
        wafer,
        tokens,
        { pattern: 'balanced' },
        engine,
      )
      return compared(
        `EP${String(expertParallel)}, ${String(tokens)} tokens per chip, ${String(linkGBps)} GB/s`,
        'ns',
        inNanoseconds(acknowledgedSeconds),
        acknowledged,
      )
    },
  )
}

/** Random dispatches: rows until the last data, and rows until the last acknowledgement. */
function dispatchRows(engine: ExchangeEngine): Record<'data' | 'acknowledged', ValidationRow[]> {
  const { x, y, ...links } = dispatchRuns.system
  const wafer = waferOf(x, y, links)
  const runs = dispatchRuns.rows.map(([tokens = NaN, lastData = NaN, acknowledged = NaN]) => ({
    tokens,
    lastData,
    acknowledged,
    results: SEEDS.map(seed =>
      publishedDispatch(wafer, tokens, { pattern: 'uniform', seed }, engine),
    ),
  }))
  const row = (tokens: number, seconds: readonly number[], published: number): ValidationRow => {
    const times = seconds.map(inNanoseconds)
    const name = `${String(tokens)} tokens per chip, mean of ${String(SEEDS.length)} choices`
    return { ...compared(name, 'ns', meanOf(times), published), spread: spreadOf(times) }
  }
  return {
    data: runs.map(({ tokens, results, lastData }) =>
      row(
        tokens,
        results.map(({ lastDataSeconds }) => lastDataSeconds),
        lastData,
      ),
    ),
    acknowledged: runs.map(({ tokens, results, acknowledged }) =>
      row(
        tokens,
        results.map(({ acknowledgedSeconds }) => acknowledgedSeconds),
        acknowledged,
      ),
    ),
  }
}

/**
 * Die-to-die links and exchanges over a wafer: by the closed form with the phase engine, flit by flit
 * with the event engine.
 */
export const validateWafer = (engine: Engine): ValidationSet[] =>
  engine === 'phase' ? closedFormSets() : simulatedSets()

const { source } = calibration

const closedFormSets = (): ValidationSet[] => [
  validationSet({
    id: 'd2d-estimate-2026',
    title: 'All-to-all and balanced dispatch by the closed form',
    source,
    target: { meanAbsoluteError: 0.02, largestError: 0.1 },
    rows: [...allToAllRows('closed-form'), ...balancedRows('closed-form')],
  }),
  validationSet({
    id: 'd2d-estimate-dispatch-2026',
    title: 'Random dispatch over 8 x 8 chips until the last data, by the closed form',
    source,
    target: { meanAbsoluteError: 0.03, largestError: 0.06 },
    rows: dispatchRows('closed-form').data,
  }),
]

function simulatedSets(): ValidationSet[] {
  const dispatches = dispatchRows('event')
  return [
    validationSet({
      id: 'd2d-calibration-2026',
      title: 'Single flits, streams, and streams that run out of credits',
      source,
      target: exactly,
      rows: calibrationRows(),
    }),
    ...validateD2dCharts(),
    validationSet({
      id: 'd2d-all-to-all-2026',
      title: 'All-to-all over 8 x 8 chips, flit by flit',
      source,
      target: { meanAbsoluteError: 0.002, largestError: 0.005 },
      rows: allToAllRows('event'),
    }),
    validationSet({
      id: 'd2d-balanced-2026',
      title: 'Balanced dispatch over 2 to 64 chips, flit by flit',
      source,
      target: { meanAbsoluteError: 0.002, largestError: 0.005 },
      rows: balancedRows('event'),
    }),
    validationSet({
      id: 'd2d-dispatch-2026',
      title: 'Random dispatch over 8 x 8 chips until the last data, flit by flit',
      source,
      target: { meanAbsoluteError: 0.03, largestError: 0.06 },
      rows: dispatches.data,
    }),
    validationSet({
      id: 'd2d-dispatch-acknowledged-2026',
      title: 'Random dispatch over 8 x 8 chips until the last acknowledgement, flit by flit',
      source,
      // Which chip sends the last message how far is chance: one choice of tokens lies 10 % from another.
      target: { meanAbsoluteError: 0.08, largestError: 0.15 },
      rows: dispatches.acknowledged,
    }),
  ]
}
