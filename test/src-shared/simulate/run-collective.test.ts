import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MODEL_VERSION } from '#shared/model-version.ts'
import {
  collectiveImplementations,
  collectiveOperations,
  type CollectiveConfig,
} from '#shared/schema/collective-input.ts'
import { estimateCollective } from '#shared/simulate/run-collective.ts'
import { evaluateFormula } from '#test/support/evaluate-formula.ts'
import { makeChipConfig } from '#test/support/make-chip.ts'
import { makeCollectiveInput } from '#test/support/make-collective-input.ts'

const run = (changes: Partial<CollectiveConfig>) => estimateCollective(makeCollectiveInput(changes))
const cyclesOf = (changes: Partial<CollectiveConfig>) => run(changes).result.cycles

/** The stages that a variant needs, and no other takes. */
const staged = (implementation: CollectiveConfig['implementation'], stages = 8) =>
  implementation === 'sw-pipelined' ? { implementation, stages } : { implementation }

const every = collectiveOperations.flatMap(operation =>
  collectiveImplementations.map(implementation => ({ operation, ...staged(implementation) })),
)

describe('the document', () => {
  test('carries versions, input, result, explanation and warnings', () => {
    const input = makeCollectiveInput()
    const document = estimateCollective(input)
    expect(document).toMatchObject({ schemaVersion: 1, modelVersion: MODEL_VERSION, input })
    expect(document.warnings).toEqual([])
    expect(document.explanation.map(({ field }) => field)).toEqual([
      'cycles',
      'parts.row',
      'seconds',
      'bandwidthBytesPerSecond',
      'steps',
    ])
  })

  test('seconds and bandwidth follow from the cycles and the clock', () => {
    const { cycles, seconds, bandwidthBytesPerSecond } = run({}).result
    expect(seconds).toBeCloseTo(cycles / 965e6, 15)
    expect(bandwidthBytesPerSecond).toBeCloseTo(32_768 / seconds, 0)
  })
})

describe('32 KiB to 32 tiles, 128 bytes per cycle', () => {
  const slope = (changes: Partial<CollectiveConfig>) =>
    cyclesOf({ ...changes, bytes: 65_536 }) - cyclesOf({ ...changes, bytes: 32_768 })

  test.each([
    ['hw', 256],
    ['sw-tree', 1280],
    ['sw-seq', 7936],
  ] as const)('%s moves flits in %d cycles', (implementation, flits) => {
    expect(slope({ implementation })).toBeCloseTo(flits, 6)
  })

  test('the steps of each are counted', () => {
    const steps = every
      .filter(({ operation }) => operation !== 'max')
      .map(changes => run(changes).result.steps)
    expect(steps).toEqual([1, 5, 31, 39, 1, 5, 31, 40])
  })

  test('hardware is fastest, then the tree, then one by one', () => {
    for (const operation of collectiveOperations) {
      const [hw = NaN, tree = NaN, sequential = NaN] = collectiveImplementations.map(
        implementation => cyclesOf({ operation, ...staged(implementation) }),
      )
      expect(hw).toBeLessThan(tree)
      expect(tree).toBeLessThan(sequential)
    }
  })
})

describe.each(every)('$operation, $implementation', changes => {
  test('a single tile takes no time, has no bandwidth and no steps', () => {
    const { result } = run({ ...changes, columns: 1 })
    expect(result).toEqual({
      cycles: 0,
      seconds: 0,
      bandwidthBytesPerSecond: 0,
      steps: 0,
      parts: [],
    })
  })

  test('a column takes as long as a row', () => {
    expect(cyclesOf({ ...changes, columns: 1, rows: 32 })).toBe(cyclesOf(changes))
  })

  test('a group takes at least its row and its column', () => {
    const group = run({ ...changes, columns: 8, rows: 4 }).result
    expect(group.parts.map(({ part }) => part)).toEqual(
      changes.implementation === 'hw' ? ['row', 'barrier', 'column'] : ['row', 'column'],
    )
    expect(group.cycles).toBeGreaterThanOrEqual(
      cyclesOf({ ...changes, columns: 8 }) + cyclesOf({ ...changes, columns: 1, rows: 4 }),
    )
    expect(group.parts.reduce((sum, { cycles }) => sum + cycles, 0)).toBeCloseTo(group.cycles, 9)
  })

  test.each([
    ['a row', {}],
    ['a group', { columns: 8, rows: 4, barriers: 'chip' as const }],
    ['a short message', { bytes: 64, columns: 5 }],
    ['a single tile', { columns: 1 }],
  ])('the formulas of %s give its numbers', (_, more) => {
    for (const entry of run({ ...changes, ...more }).explanation) {
      const [statement] = evaluateFormula(entry)
      expect(statement?.value).toBeCloseTo(entry.value, 6)
    }
  })

  test('more tiles or bytes are never faster, and a wider link never slower', () => {
    const tiles = fc.integer({ min: 2, max: 31 })
    const kib = fc.integer({ min: 1, max: 256 })
    fc.assert(
      fc.property(tiles, kib, (columns, size) => {
        const at = { ...changes, columns, bytes: size * 1024 }
        const time = cyclesOf(at)
        expect(cyclesOf({ ...at, columns: columns + 1 })).toBeGreaterThanOrEqual(time)
        expect(cyclesOf({ ...at, bytes: at.bytes + 1024 })).toBeGreaterThanOrEqual(time)
        const wide = makeChipConfig({ noc: { linkBits: 2048, hopCycles: 1 } })
        expect(estimateCollective(makeCollectiveInput(at, wide)).result.cycles).toBeLessThanOrEqual(
          time,
        )
      }),
      { numRuns: 30 },
    )
  })
})

test('a sum and a maximum take the same time', () => {
  for (const implementation of collectiveImplementations) {
    const changes = staged(implementation)
    expect(cyclesOf({ ...changes, operation: 'max' })).toBe(
      cyclesOf({ ...changes, operation: 'sum' }),
    )
  }
})

test('barriers over the whole chip take longer than those of a short row', () => {
  const tree = { implementation: 'sw-tree', columns: 4 } as const
  expect(cyclesOf({ ...tree, barriers: 'chip' })).toBeGreaterThan(cyclesOf(tree))
})

describe('warnings', () => {
  const codes = (changes: Partial<CollectiveConfig>) =>
    run(changes).warnings.map(({ code }) => code)

  test.each([
    ['hw on 32 tiles', {}, []],
    ['tree sum on 8', { operation: 'sum', implementation: 'sw-tree', columns: 8 }, []],
    [
      'tree sum on 9',
      { operation: 'sum', implementation: 'sw-tree', columns: 9 },
      ['outside-validated-regime'],
    ],
    [
      'a pipelined sum',
      { operation: 'sum', implementation: 'sw-pipelined', stages: 8, columns: 2 },
      ['outside-validated-regime'],
    ],
    ['a group', { columns: 8, rows: 4 }, ['outside-validated-regime']],
    ['a buffer of all L1', { bytes: 384 * 1024 }, []],
    ['a larger one', { bytes: 384 * 1024 + 1 }, ['memory-capacity']],
    [
      'two that are too large together',
      { operation: 'sum', implementation: 'sw-seq', columns: 8, bytes: 193 * 1024 },
      ['memory-capacity'],
    ],
  ] as const satisfies [string, Partial<CollectiveConfig>, string[]][])(
    'of %s',
    (_, changes, expected) => {
      expect(codes(changes)).toEqual(expected)
    },
  )
})
