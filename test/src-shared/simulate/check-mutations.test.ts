import { afterEach, describe, expect, test } from 'vitest'
import type { Dataflow } from '#shared/mapping/dataflow.ts'
import { AttentionOperations } from '#shared/models/event/attention/attention-operations.ts'
import { AttentionTile } from '#shared/models/event/attention/attention-tiles.ts'
import type { Program } from '#shared/models/event/simulator.ts'
import { CheckedAttention } from '#shared/models/event/check/checked-attention.ts'
import { JobRows } from '#shared/models/event/check/job-rows.ts'
import type { CheckResult } from '#shared/results/check-result.ts'
import { runCheck } from '#shared/simulate/check-attention.ts'
import { intercept, restoreIntercepted } from '#test/support/intercept.ts'
import { makeCheckInput, makeSmallChip } from '#test/support/make-check-input.ts'

/** Several column blocks and row blocks, ragged, with a mask: all that can go wrong is there. */
const run = (dataflow: Dataflow): CheckResult =>
  runCheck(
    makeCheckInput({
      dataflow,
      workload: { heads: 8, kvHeads: 8, queryLength: 29, kvLength: 43, causal: true },
    }),
  ).result

function* nothing(): Program {
  yield 0
}
function* late(tile: AttentionOperations, program: Program): Program {
  yield tile.after(20_000)
  yield* program
}

const noEffect = () => () => undefined
const groups = ['flat-sc', 'flat-tc', 'flat-hc', 'flat-async'] as const
const all = ['fa2', 'fa3', ...groups] as const

afterEach(() => {
  restoreIntercepted()
})

test.each(all)('%s as it is passes', dataflow => {
  expect(run(dataflow).passed).toBe(true)
})

describe('programs with a step left out are found out', () => {
  test.each(groups)('%s without the multicast of K and V', dataflow => {
    intercept(AttentionTile.prototype, 'multicastColumn', nothing)
    expect(run(dataflow)).toMatchObject({ passed: false })
  })

  test.each(groups)('%s without the multicast of Q', dataflow => {
    intercept(AttentionTile.prototype, 'multicastQuery', nothing)
    expect(run(dataflow).passed).toBe(false)
  })

  test.each(groups)('%s without the reduction of O', dataflow => {
    intercept(AttentionTile.prototype, 'reduceOutput', nothing)
    const result = run(dataflow)
    expect(result).toMatchObject({ passed: false, hazards: 0, rowsNotComputed: 0 })
    expect(result.largestRelative).toBeGreaterThan(0.01)
  })

  test.each(groups)('%s without sharing the row maxima, or the row sums', dataflow => {
    for (const left of ['maximum', 'sum']) {
      intercept(AttentionTile.prototype, 'shareState', function* (share, _, set, buffer) {
        if (buffer !== left) yield* share(set, buffer)
      })
      expect(run(dataflow).passed).toBe(false)
      restoreIntercepted()
    }
  })

  test.each(all)('%s without the transposition of K', dataflow => {
    intercept(AttentionOperations.prototype, 'transposeKey', nothing)
    expect(run(dataflow).passed).toBe(false)
  })

  test.each(all)('%s without clearing O between row blocks', dataflow => {
    let cleared = 0
    // The first one of each buffer has to be, or there would be nothing at all.
    intercept(CheckedAttention.prototype, 'clearOutput', (clear, _, tile, set) =>
      cleared++ < 32 ? clear(tile, set) : () => undefined,
    )
    expect(run(dataflow).passed).toBe(false)
  })

  test.each(all)('%s without clearing the scores', dataflow => {
    intercept(AttentionOperations.prototype, 'clearScores', nothing)
    expect(run(dataflow).passed).toBe(false)
  })

  test.each(all)('%s without rescaling O', dataflow => {
    intercept(CheckedAttention.prototype, 'carry', (carry, _, tile, set, what, isFirst) =>
      carry(
        tile,
        set,
        what.filter(state => state !== 'output'),
        isFirst,
      ),
    )
    const result = run(dataflow)
    expect(result).toMatchObject({ passed: false, hazards: 0, rowsNotComputed: 0 })
    expect(result.largestRelative).toBeGreaterThan(0.01)
  })

  test.each(all)('%s that takes every block for the first', dataflow => {
    intercept(CheckedAttention.prototype, 'carry', (carry, _, tile, set, what) =>
      carry(tile, set, what, true),
    )
    expect(run(dataflow).passed).toBe(false)
  })

  test.each(all)('%s without dividing O', dataflow => {
    intercept(CheckedAttention.prototype, 'divide', noEffect)
    expect(run(dataflow)).toMatchObject({ passed: false, hazards: 0 })
  })

  test.each(all)('%s that sees one key too many, or one too few', dataflow => {
    for (const shift of [1, -1]) {
      intercept(JobRows.prototype, 'seen', (seen, _, row) => seen(row) + shift)
      expect(run(dataflow).passed).toBe(false)
      restoreIntercepted()
    }
  })

  test('FlashAttention-3 without putting the exponentials aside', () => {
    intercept(AttentionOperations.prototype, 'copyScores', nothing)
    expect(run('fa3').passed).toBe(false)
  })

  test.each(all)('%s that does not store', dataflow => {
    intercept(AttentionOperations.prototype, 'storeOutput', nothing)
    expect(run(dataflow)).toMatchObject({ passed: false, rowsNotStored: 8 * 29 })
  })
})

describe('programs that do not wait are found out', () => {
  const withoutBarriers = () => {
    intercept(AttentionTile.prototype, 'barrier', (_, tile) => tile.kernel.machine.nothing)
  }

  test.each(['flat-hc', 'flat-async'] as const)('%s without barriers', dataflow => {
    withoutBarriers()
    const result = run(dataflow)
    expect(result.passed).toBe(false)
    expect(result.hazards).toBeGreaterThan(0)
    expect(result.firstHazards.length).toBeGreaterThan(0)
  })

  test('FlatAsync without barriers in a group of a single column', () => {
    const kernel = {
      chip: makeSmallChip(1, 3),
      mapping: { groupX: 1, groupY: 3, sliceRows: 16, sliceCols: 8 },
      workload: { heads: 4, kvHeads: 4, headDim: 64, queryLength: 48, kvLength: 64 },
    }
    expect(runCheck(makeCheckInput(kernel)).result.passed).toBe(true)
    withoutBarriers()
    expect(runCheck(makeCheckInput(kernel)).result).toMatchObject({ passed: false })
  })

  test.each(all)('%s that does not wait for a late Q', dataflow => {
    intercept(AttentionOperations.prototype, 'loadQuery', function* (load, tile, set, rowBlock) {
      tile.kernel.machine.simulator.spawn(late(tile, load(set, rowBlock)))
      yield tile.after(1)
    })
    const result = run(dataflow)
    expect(result.passed).toBe(false)
    expect(result.hazards).toBeGreaterThan(0)
  })

  test.each(['fa3', 'flat-async'] as const)('%s that uses V before it is there', dataflow => {
    intercept(AttentionOperations.prototype, 'loadValue', function* (load, tile, set, at) {
      yield* late(tile, load(set, at))
    })
    // A late load alone only takes longer.
    expect(run(dataflow).passed).toBe(true)
    restoreIntercepted()
    intercept(AttentionOperations.prototype, 'loadValue', function* (load, tile, set, at) {
      tile.kernel.machine.simulator.spawn(late(tile, load(set, at)))
      yield tile.after(1)
    })
    expect(run(dataflow).passed).toBe(false)
  })
})
