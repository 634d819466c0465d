import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { isFlash } from '#shared/mapping/dataflow.ts'
import type { EventReport } from '#shared/results/event-report.ts'
import { simulateAttention } from '#shared/simulate/run-attention.ts'
import { runCollective } from '#shared/simulate/run-collective.ts'
import { runGemm } from '#shared/simulate/run-gemm.ts'
import { runVector } from '#shared/simulate/run-vector.ts'
import { finish } from '#shared/simulate/simulation.ts'
import { makeChipConfig, makeHbm } from '#test/support/make-chip.ts'
import { makeCollectiveInput } from '#test/support/make-collective-input.ts'
import { makeGemmInput } from '#test/support/make-gemm-input.ts'
import { moderateInput } from '#test/support/make-moderate-input.ts'
import { propertyRuns } from '#test/support/make-property-settings.ts'
import { makeVectorInput } from '#test/support/make-vector-input.ts'

// Machines that build and test at the same time are slow.
vi.setConfig({ testTimeout: 120_000 })

const shortAttention = moderateInput.filter(
  ({ workload, dataflow }) =>
    workload.kvLength <= 512 && workload.queryLength <= (isFlash(dataflow) ? 256 : 512),
)

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

const watch = { activity: true }

function activityOf(report: EventReport | undefined) {
  if (report?.activity === undefined) throw new Error('the run has no values over time')
  return report.activity
}

/** Where series do not add up to what the report says of the whole, or do not fit together. */
function problemsOf(report: EventReport | undefined): string[] {
  const { links, channels, tiles, bins, binCycles } = activityOf(report)
  const cycles = report?.simulatedCycles ?? 0
  const byEngine = ['matrix', 'vector', 'dma'] as const
  const pairs = [
    ['links', links.bytes.map(sum), report?.links.bytes, 0],
    ['read', channels.read.map(sum), report?.channels.readBytes, 0],
    ['written', channels.written.map(sum), report?.channels.writtenBytes, 0],
    ...byEngine.map(
      engine =>
        [
          engine,
          tiles[engine].map(series => Math.min(1, sum(series) / cycles)),
          report?.tiles[engine],
          1 / cycles,
        ] as const,
    ),
  ] as const
  const sums = pairs.flatMap(([name, values, totals, tolerance]) =>
    totals?.length === values.length &&
    totals.every((total, index) => Math.abs(total - (values[index] ?? NaN)) <= tolerance)
      ? []
      : [`${name} do not add up`],
  )
  const all = [links.bytes, channels.read, channels.written, tiles.matrix, tiles.vector, tiles.dma]
  const lengths = all.flat().every(series => series.length === bins) && bins <= 64
  const whole = all.flat(2).every(value => Number.isInteger(value) && value >= 0)
  // A matrix engine does one thing at a time; rounding may move a cycle to the neighbour.
  const alone = Math.max(...tiles.matrix.flat()) <= binCycles + 1
  return [
    ...sums,
    ...(lengths ? [] : ['series of other lengths']),
    ...(whole ? [] : ['values that are no whole numbers']),
    ...(alone ? [] : ['a matrix engine that is more than busy']),
  ]
}

describe('values over time add up to the totals', () => {
  test('of any attention kernel', () => {
    fc.assert(
      fc.property(shortAttention, input => {
        expect(
          problemsOf(
            finish(simulateAttention({ ...input, engine: 'event' }, watch)).document.event,
          ),
        ).toEqual([])
      }),
      propertyRuns(40),
    )
  })

  test.each(['n', 'k', 'none'] as const)('of a GEMM with split %s', split => {
    const chip = makeChipConfig({ tiles: { x: 4, y: 4 }, hbm: makeHbm({ west: 2, south: 4 }) })
    const input = makeGemmInput({ chip, mapping: { split } })
    expect(
      problemsOf(finish(runGemm({ ...input, engine: 'event' }, watch)).document.event),
    ).toEqual([])
  })

  test.each(['hw', 'sw-tree', 'sw-seq'] as const)('of a collective by %s', implementation => {
    const input = makeCollectiveInput({ implementation })
    expect(
      problemsOf(finish(runCollective({ ...input, engine: 'event' }, watch)).document.event),
    ).toEqual([])
  })

  test.each(['rms-norm', 'dispatch', 'combine'] as const)('of a vector kernel, %s', kernel => {
    const input = makeVectorInput({ workload: { kernel, tokens: 1500 } })
    expect(
      problemsOf(finish(runVector({ ...input, engine: 'event' }, watch)).document.event),
    ).toEqual([])
  })
})

describe('the size of what is reported over time', () => {
  const valuesOn = (side: number) => {
    const chip = makeChipConfig({ tiles: { x: side, y: side } })
    const input = makeCollectiveInput({ columns: side, rows: 1 }, chip)
    const { event } = finish(runCollective({ ...input, engine: 'event' }, watch)).document
    const activity = activityOf(event)
    return { values: activity.bins * 5 * side * side, text: JSON.stringify(activity).length }
  }

  test('does not grow with a mesh of more than 32 x 32 tiles', () => {
    for (const side of [64, 128]) expect(valuesOn(side).values).toBeLessThanOrEqual(5 * 1024 * 64)
    expect(valuesOn(64).text).toBeLessThan(4e6)
  })

  test('is nothing where it is not asked for', () => {
    const input = makeCollectiveInput({})
    const { event } = finish(runCollective({ ...input, engine: 'event' })).document
    expect(event).toBeDefined()
    expect(event).not.toHaveProperty('activity')
  })
})
