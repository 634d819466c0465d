import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { dataflowsOf } from '#shared/mapping/dataflow.ts'
import { checkPrecisions, type CheckInput } from '#shared/schema/check-input.ts'
import { runCheck } from '#shared/simulate/check-attention.ts'
import { makeCheckInput, makeSmallChip } from '#test/support/make-check-input.ts'
import { propertyRuns } from '#test/support/make-property-settings.ts'

// Machines that build and test at the same time are slow.
vi.setConfig({ testTimeout: 120_000 })

const dataflows = dataflowsOf({ variant: 'mha', phase: 'prefill' })

const side = fc.integer({ min: 1, max: 5 })

const heads = fc
  .tuple(
    fc.constantFrom('mha', 'gqa', 'mqa'),
    fc.integer({ min: 1, max: 4 }),
    fc.constantFrom(1, 2, 3),
  )
  .map(([variant, kvHeads, shared]) => {
    if (variant === 'mha') return { variant, heads: kvHeads, kvHeads } as const
    if (variant === 'mqa') return { variant, heads: shared, kvHeads: 1 } as const
    return { variant: 'gqa', heads: kvHeads * shared, kvHeads } as const
  })

const phase = fc.oneof(
  fc.constant({ phase: 'decode', queryLength: 1 } as const),
  fc.integer({ min: 1, max: 40 }).map(queryLength => ({ phase: 'prefill', queryLength }) as const),
)

const workload = fc
  .record({
    split: heads,
    length: phase,
    batch: fc.integer({ min: 1, max: 3 }),
    headDim: fc.integer({ min: 1, max: 20 }),
    kvLength: fc.integer({ min: 0, max: 60 }),
    speculativeLength: fc.integer({ min: 1, max: 4 }),
    causal: fc.boolean(),
  })
  .map(({ split, length, ...rest }) => ({ ...split, ...length, ...rest }))

/** Small kernels of every kind, on meshes and in groups and slices of any shape. */
const arbitraryCheck: fc.Arbitrary<CheckInput> = fc
  .record({
    tiles: fc.record({ x: side, y: side }),
    group: fc.record({ x: side, y: side }),
    slice: fc.record({
      sliceRows: fc.integer({ min: 1, max: 17 }),
      sliceCols: fc.integer({ min: 1, max: 17 }),
    }),
    isAutomatic: fc.boolean(),
    loaders: fc.constantFrom('diagonal' as const, 'edge' as const),
    keyTranspose: fc.constantFrom('engine' as const, 'in-memory' as const),
    dataflow: fc.constantFrom(...dataflows),
    precision: fc.constantFrom(...checkPrecisions),
    seed: fc.integer({ min: 0, max: 1000 }),
    workload,
  })
  .map(({ tiles, group, slice, isAutomatic, keyTranspose, ...rest }) => {
    const chip = makeSmallChip(tiles.x, tiles.y)
    return makeCheckInput({
      ...rest,
      chip: { ...chip, kernels: { ...chip.kernels, keyTranspose } },
      mapping: isAutomatic
        ? {}
        : { groupX: Math.min(group.x, tiles.x), groupY: Math.min(group.y, tiles.y), ...slice },
    })
  })

describe('any small kernel', () => {
  test('computes attention, within the bound of its precision', () => {
    const seen = new Set<string>()
    fc.assert(
      fc.property(arbitraryCheck, input => {
        const { result } = runCheck(input)
        seen.add(`${input.dataflow} ${input.precision}`)
        expect(result).toMatchObject({
          passed: true,
          hazards: 0,
          rowsNotComputed: 0,
          rowsNotStored: 0,
          rowsStoredAgain: 0,
        })
      }),
      propertyRuns(400),
    )
    expect(seen.size).toBe(dataflows.length * checkPrecisions.length)
  })
})
