import { describe, expect, test } from 'vitest'
import type { Dataflow } from '#shared/mapping/dataflow.ts'
import type { MappingOverrides } from '#shared/mapping/mapping-overrides.ts'
import { mapAttention } from '#shared/models/attention/attention-mapping.ts'
import type { KernelShape } from '#shared/models/attention/kernel-shape.ts'
import type { WorkloadConfig } from '#shared/schema/workload.ts'
import type { ChipConfig } from '#shared/schema/chip.ts'
import { makeChip, noArtefacts } from '#test/support/make-chip.ts'
import { makeWorkload } from '#test/support/make-workload.ts'

const map = (
  dataflow: Dataflow,
  workload: Partial<WorkloadConfig> = {},
  overrides: MappingOverrides = {},
  chip: Partial<ChipConfig> = {},
) => mapAttention(dataflow, makeWorkload(workload), overrides, makeChip(chip))

function shapeOf(...arguments_: Parameters<typeof map>): KernelShape {
  const outcome = map(...arguments_)
  if (outcome.kind === 'problem') throw new Error(outcome.message)
  return outcome.shape
}

const square = (length: number): Partial<WorkloadConfig> => ({
  queryLength: length,
  kvLength: length,
})
const layer = (length: number): Partial<WorkloadConfig> => ({
  ...square(length),
  batch: 2,
  heads: 32,
  kvHeads: 32,
})

describe('tiling rule of FlatAttention', () => {
  test.each([
    [4096, 32, 128],
    [2048, 16, 128],
    [512, 4, 128],
    [128, 1, 128],
    [100, 1, 100],
  ])('S %d takes a group of %d on a side with slices of %d', (length, group, slice) => {
    expect(shapeOf('flat-async', layer(length))).toMatchObject({
      groupX: group,
      groupY: group,
      sliceRows: slice,
      sliceCols: slice,
    })
  })

  test('a length beyond the mesh is cut into several blocks', () => {
    expect(shapeOf('flat-async', layer(16_384))).toMatchObject({
      groupX: 32,
      groupY: 32,
      sliceRows: 128,
      outerIterations: 4,
      innerIterations: 4,
    })
  })

  test('a length that is no multiple of the slice is cut into a power of two of equal slices', () => {
    expect(shapeOf('flat-hc', layer(1000))).toMatchObject({ groupX: 8, sliceCols: 125 })
    expect(shapeOf('flat-hc', layer(300))).toMatchObject({ groupX: 4, sliceCols: 75 })
  })

  test('decode has a row of tiles for one query row', () => {
    const decode = { phase: 'decode', queryLength: 1, kvLength: 4096, batch: 128 } as const
    expect(shapeOf('flat-async', { ...decode, heads: 32, kvHeads: 32 })).toMatchObject({
      groupX: 32,
      groupY: 1,
      sliceRows: 1,
      groups: 32,
      jobsPerGroup: 128,
    })
  })

  test('a KV of one key has a column of one tile', () => {
    expect(shapeOf('flat-hc', { kvLength: 1 })).toMatchObject({ groupX: 1, sliceCols: 1 })
  })

  test('without keys there are no column blocks', () => {
    expect(shapeOf('flat-async', { kvLength: 0 })).toMatchObject({
      columnBlocks: 0,
      busyRowBlocksPerGroup: 0,
      innerIterations: 0,
    })
  })

  test('on one tile there is one group of it', () => {
    expect(shapeOf('flat-async', layer(4096), {}, { tiles: { x: 1, y: 1 } })).toMatchObject({
      groupX: 1,
      groupY: 1,
      groups: 1,
      jobsPerGroup: 64,
      outerIterations: 32,
      innerIterations: 32,
    })
  })

  test.each([
    // 2 blocks of 31 · 67 = 2077 instead of 3968, the second of which would be nearly all padding
    [31, 67, 2],
    [24, 86, 2],
    [12, 114, 3],
    [7, 118, 5],
  ])('on a mesh of side %d slices of %d make %d equal blocks', (side, slice, blocks) => {
    expect(shapeOf('flat-async', layer(4096), {}, { tiles: { x: side, y: side } })).toMatchObject({
      groupX: side,
      groupY: side,
      sliceRows: slice,
      sliceCols: slice,
      outerIterations: blocks,
      innerIterations: blocks,
    })
  })

  test('on an odd mesh some tiles belong to no group', () => {
    expect(shapeOf('flat-hc', layer(512), {}, { tiles: { x: 7, y: 5 } })).toMatchObject({
      groupX: 4,
      groupY: 4,
      groups: 1,
    })
  })
})

describe('jobs of FlatAttention', () => {
  test('are shared out over the groups, rounded up', () => {
    expect(shapeOf('flat-async', { ...layer(1024), batch: 3 })).toMatchObject({
      groups: 16,
      activeGroups: 16,
      jobsPerGroup: 6,
      rowBlocks: 96,
      columnBlocks: 96,
    })
  })

  test('leave groups idle where there are fewer of them', () => {
    expect(shapeOf('flat-hc', square(512))).toMatchObject({ groups: 64, activeGroups: 1 })
  })
})

describe('FlashAttention', () => {
  test('shares the row blocks of a job out over the tiles that are left', () => {
    expect(shapeOf('fa3', layer(4096))).toMatchObject({
      groupX: 1,
      groupY: 1,
      sliceRows: 128,
      sliceCols: 128,
      outerIterations: 2,
      innerIterations: 32,
      activeGroups: 1024,
      rowBlocksPerGroup: 2,
      columnBlocksPerGroup: 64,
    })
  })

  test('cuts rows finer rather than leave tiles idle', () => {
    expect(shapeOf('fa3', layer(1024))).toMatchObject({ sliceRows: 64, activeGroups: 1024 })
  })

  test('gives a tile several jobs where there are more than tiles', () => {
    expect(shapeOf('fa2', { ...layer(128), batch: 64 })).toMatchObject({
      jobsPerGroup: 2,
      activeGroups: 1024,
    })
  })

  test('cuts the rows of a tile into as many blocks as the kernel library wants', () => {
    const kernels = { keyTranspose: 'engine', flashRowBlocksPerTile: 2 } as const
    expect(shapeOf('fa2', layer(1024), {}, { kernels })).toMatchObject({
      sliceRows: 32,
      outerIterations: 2,
    })
  })

  test('has no use for the group of an override', () => {
    expect(shapeOf('fa3', layer(4096), { groupX: 8, groupY: 8 })).toEqual(
      shapeOf('fa3', layer(4096)),
    )
  })
})

describe('causal mask', () => {
  const causal = { ...layer(4096), causal: true }

  test('leaves out the blocks above the diagonal', () => {
    const chip = { referenceArtefacts: noArtefacts }
    expect(shapeOf('fa2', causal, {}, chip)).toMatchObject({ columnBlocks: (64 * 32 * 33) / 2 })
  })

  test('is ignored with the artefact', () => {
    expect(shapeOf('fa2', causal)).toMatchObject({ columnBlocks: 64 * 32 * 32 })
  })
})

describe('overrides', () => {
  test('of the group shrink the slice: S 512 on 32 × 32 tiles leaves 16', () => {
    const shape = shapeOf('flat-async', layer(512), { groupX: 32, groupY: 32 })
    expect(shape).toMatchObject({ sliceRows: 16, sliceCols: 16, groups: 1 })
  })

  test('of the slice decide the group', () => {
    expect(shapeOf('flat-hc', layer(512), { sliceRows: 64, sliceCols: 32 })).toMatchObject({
      groupY: 8,
      groupX: 16,
    })
  })

  test('of the block are divided by the group', () => {
    const overrides = { groupX: 8, groupY: 8, blockRows: 512, blockCols: 256 }
    expect(shapeOf('flat-hc', layer(512), overrides)).toMatchObject({
      sliceRows: 64,
      sliceCols: 32,
    })
  })

  test('of the block alone take the preferred slice', () => {
    expect(shapeOf('flat-hc', layer(4096), { blockRows: 256 })).toMatchObject({
      groupY: 2,
      sliceRows: 128,
    })
  })
})

describe('impossible mappings are refused with the numbers', () => {
  test.each([
    [{ groupX: 33 }, 'mapping.groupX: must be at most 32 (chip.tiles.x), got 33'],
    [{ groupY: 64 }, 'mapping.groupY: must be at most 32 (chip.tiles.y), got 64'],
    [
      { groupY: 4, sliceRows: 64, blockRows: 512 },
      'mapping.blockRows: must be 256 for 4 tiles with mapping.sliceRows 64, got 512',
    ],
    [
      { groupX: 2, sliceCols: 64, blockCols: 64 },
      'mapping.blockCols: must be 128 for 2 tiles with mapping.sliceCols 64, got 64',
    ],
  ])('%o', (overrides, message) => {
    expect(map('flat-async', layer(4096), overrides)).toEqual({ kind: 'problem', message })
  })

  test('a slice that does not fit in L1: what it needs, what there is, and what fits', () => {
    expect(map('flat-async', layer(4096), { sliceRows: 256, sliceCols: 256 })).toMatchObject({
      kind: 'problem',
      message:
        'a slice of 256 × 256 scores with head dimension 128 needs 773 KiB of L1 per tile for ' +
        'flat-async, but chip.l1.capacityKiB gives 384 KiB; slices of 128 × 128 fit',
    })
  })

  test('a head dimension of which not even one row fits', () => {
    const l1 = { capacityKiB: 32, bytesPerCycle: 512 }
    const outcome = map('flat-async', { headDim: 4096 }, {}, { l1 })
    const message = outcome.kind === 'problem' ? outcome.message : 'no problem'
    expect(message).toMatch(/32 KiB; not even one row of this head dimension fits$/)
  })
})

describe('decode with FlashAttention', () => {
  const decode = { phase: 'decode', queryLength: 1, kvLength: 8192, batch: 8, heads: 32 } as const

  test.each([
    ['mqa', 1, 32],
    ['gqa', 8, 4],
    ['mha', 32, 1],
  ] as const)('of %s with %d KV heads has %d rows on a tile', (variant, kvHeads, rows) => {
    const shape = shapeOf('fa2', { ...decode, variant, kvHeads })
    expect(shape).toMatchObject({ sliceRows: rows, outerIterations: 1 })
  })

  test.each([
    ['mqa', 1],
    ['gqa', 8],
    ['mha', 32],
  ] as const)('of %s reads each of %d KV heads once', (variant, kvHeads) => {
    expect(shapeOf('fa3', { ...decode, variant, kvHeads }).keyColumns).toBe(8 * kvHeads * 8192)
  })

  test('shares out the row blocks of a job where its rows do not fit in one slice', () => {
    const long = { ...decode, batch: 1, variant: 'mqa', kvHeads: 1, speculativeLength: 8 } as const
    expect(shapeOf('fa2', long)).toMatchObject({ sliceRows: 128, activeGroups: 2 })
  })
})
