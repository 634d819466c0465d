import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isFlash } from '#shared/mapping/dataflow.ts'
import { mapAttention } from '#shared/models/attention/attention-mapping.ts'
import { mappingCandidates, type AxisCut } from '#shared/models/attention/mapping-candidates.ts'
import { resolveChip } from '#shared/schema/chip.ts'
import { resolveWorkload } from '#shared/schema/workload.ts'
import { arbitraryInput } from '#test/support/make-arbitrary-input.ts'
import { makeChip } from '#test/support/make-chip.ts'
import { propertyRuns } from '#test/support/make-property-settings.ts'
import { makeWorkload } from '#test/support/make-workload.ts'

const groups = (cuts: readonly AxisCut[]) => [...new Set(cuts.map(({ group }) => group))]
const slices = (cuts: readonly AxisCut[], group: number) =>
  cuts.filter(cut => cut.group === group).map(({ slice }) => slice)
const workload = resolveWorkload(makeWorkload())

describe('groups', () => {
  test('are powers of two and divisors of the mesh', () => {
    const chip = { ...makeChip(), tiles: { x: 12, y: 5 } }
    const { rows, columns } = mappingCandidates('flat-hc', workload, {}, chip)
    expect(groups(columns)).toEqual([1, 2, 3, 4, 6, 8, 12])
    expect(groups(rows)).toEqual([1, 2, 4, 5])
  })

  test('have one tile for FlashAttention, whatever is asked for', () => {
    const { rows, columns } = mappingCandidates('fa3', workload, { groupX: 8 }, makeChip())
    expect([groups(rows), groups(columns)]).toEqual([[1], [1]])
  })

  test('are left alone where they are fixed', () => {
    const { rows, columns } = mappingCandidates('flat-hc', workload, { groupX: 6 }, makeChip())
    expect(groups(columns)).toEqual([6])
    expect(groups(rows)).toEqual([1, 2, 4, 8, 16, 32])
  })
})

describe('slices', () => {
  test('go from the smaller side of the engine to the share of a tile', () => {
    const { rows } = mappingCandidates('flat-hc', workload, {}, makeChip())
    expect(slices(rows, 1)).toEqual([16, 32, 64, 128, 256, 512, 1024, 2048, 4096])
    expect(slices(rows, 16)).toEqual([16, 32, 64, 128, 256])
  })

  test('below that only where the rule would make them: on the whole mesh, for want of L1', () => {
    const { rows } = mappingCandidates('flat-hc', workload, {}, makeChip())
    expect(slices(rows, 32)).toEqual([1, 2, 4, 8, 16, 32, 64, 128])
  })

  test('of ragged lengths are powers of two, equal parts and divisors', () => {
    const ragged = resolveWorkload(makeWorkload({ queryLength: 1000 }))
    const { rows } = mappingCandidates('flat-hc', ragged, {}, makeChip())
    expect(slices(rows, 1)).toEqual([
      16, 20, 25, 32, 40, 50, 63, 64, 100, 125, 128, 200, 250, 256, 500, 512, 1000,
    ])
  })

  test('of a single row, and of no keys, are one', () => {
    const decode = makeWorkload({ phase: 'decode', queryLength: 1, kvLength: 0 })
    const { rows, columns } = mappingCandidates('flat-hc', resolveWorkload(decode), {}, makeChip())
    expect([...slices(rows, 1), ...slices(columns, 1)]).toEqual([1, 1])
  })

  test('are those that were fixed, or follow from the block', () => {
    const fixed = { sliceRows: 96, blockCols: 1000 }
    const { rows, columns } = mappingCandidates('flat-hc', workload, fixed, makeChip())
    expect(slices(rows, 4)).toEqual([96])
    expect(slices(columns, 8)).toEqual([125])
  })
})

test('what the rule chooses is among them, also for another size of L1', () => {
  fc.assert(
    fc.property(arbitraryInput, fc.constantFrom(0.25, 1, 3), (input, factor) => {
      const chip = resolveChip(input.chip)
      const other = resolveChip({
        ...input.chip,
        l1: { ...input.chip.l1, capacityKiB: factor * input.chip.l1.capacityKiB },
      })
      const shape = resolveWorkload(input.workload)
      const chosen = mapAttention(input.dataflow, shape, {}, other)
      if (chosen.kind === 'problem') return
      const { groupX, groupY, sliceRows, sliceCols } = chosen.shape
      const { rows, columns } = mappingCandidates(input.dataflow, shape, {}, chip)
      expect(rows).toContainEqual({ group: groupY, slice: sliceRows })
      expect(columns).toContainEqual({ group: groupX, slice: sliceCols })
    }),
    propertyRuns(500),
  )
})

test('none is listed twice, and none reaches beyond the mesh or the length', () => {
  fc.assert(
    fc.property(arbitraryInput, input => {
      const chip = resolveChip(input.chip)
      const shape = resolveWorkload(input.workload)
      const { rows, columns } = mappingCandidates(input.dataflow, shape, {}, chip)
      for (const [cuts, tiles] of [
        [rows, chip.tiles.y],
        [columns, chip.tiles.x],
      ] as const) {
        expect(
          new Set(cuts.map(({ group, slice }) => `${String(group)}/${String(slice)}`)).size,
        ).toBe(cuts.length)
        // Tiles that work alone have no group; the fair FlashMLA splits KV over a row of tiles.
        const splits = input.dataflow === 'flash-mla-fair' && cuts === columns
        const widest = isFlash(input.dataflow) && !splits ? 1 : tiles
        expect(Math.max(...groups(cuts))).toBeLessThanOrEqual(widest)
        expect(Math.min(...cuts.map(({ slice }) => slice))).toBeGreaterThan(0)
      }
    }),
    propertyRuns(200),
  )
})
