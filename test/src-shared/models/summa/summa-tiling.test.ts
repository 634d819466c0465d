import { describe, expect, test } from 'vitest'
import type { SummaOverrides } from '#shared/mapping/summa-grid.ts'
import { summaCandidates } from '#shared/models/summa/summa-tiling.ts'
import type { ChipConfig } from '#shared/schema/chip.ts'
import type { GemmWorkload } from '#shared/workload/gemm.ts'
import { makeChip, makeChipConfig } from '#test/support/make-chip.ts'

const gemm = (m: number, n: number, k: number, batch = 1): GemmWorkload => ({
  m,
  n,
  k,
  batch,
  dtype: 'fp8',
})

function cut(
  workload: GemmWorkload,
  overrides: SummaOverrides = {},
  chip: Partial<ChipConfig> = {},
) {
  const outcome = summaCandidates(workload, overrides, makeChip(chip))
  return outcome.kind === 'problem' ? outcome.message : outcome.shapes
}

describe('the automatic tiling', () => {
  test.each([
    ['one step of unaligned rows', gemm(512, 64, 7168), [128, 64, 28, 1, 4, 256, 'k']],
    ['a divisor as a step', gemm(512, 2048, 7168), [128, 128, 112, 16, 4, 16, 'k']],
    ['not too short a step', gemm(512, 8192, 1536), [128, 128, 96, 32, 4, 8, 'k']],
    ['blocks that are equal', gemm(512, 7168, 16384), [128, 112, 128, 32, 4, 8, 'k']],
    ['long steps where there are many', gemm(1024, 2048, 7168), [128, 128, 128, 16, 8, 8, 'k']],
    ['the whole mesh', gemm(8192, 8192, 8192), [128, 128, 128, 32, 32, 1, 'none']],
    ['less than a tile', gemm(1, 3, 1), [1, 3, 1, 1, 1, 1, 'none']],
  ])('gives %s', (_, workload, grid) => {
    expect(cut(workload)[0]).toMatchObject(
      Object.fromEntries(
        ['tileM', 'tileN', 'tileK', 'groupX', 'groupY', 'groups', 'split'].map((field, index) => [
          field,
          grid[index],
        ]),
      ),
    )
  })

  test('also offers to split the columns, or nothing, where a group has several panels of them', () => {
    expect(cut(gemm(512, 65536, 1536))).toMatchObject([
      { split: 'k', groups: 8, tileK: 96 },
      { split: 'n', groups: 8, tileK: 128, columnBlocks: 2, steps: 12 },
      { split: 'none', groups: 1 },
    ])
  })

  test('gives each product of a batch a group', () => {
    expect(cut(gemm(512, 128, 512, 128))).toContainEqual(
      expect.objectContaining({ split: 'batch', groups: 128, steps: 4, outputBlocks: 1 }),
    )
  })

  test('cuts what an odd mesh does not divide into equal panels', () => {
    const shapes = cut(gemm(1000, 1000, 64), {}, { tiles: { x: 3, y: 5 } })
    expect(shapes[0]).toMatchObject({ groupX: 3, groupY: 5, tileN: 112, tileM: 100 })
  })

  test('takes smaller tiles where L1 is small', () => {
    const l1 = { ...makeChipConfig().l1, capacityKiB: 24 }
    expect(cut(gemm(4096, 4096, 4096), {}, { l1 })[0]).toMatchObject({
      tileM: 64,
      tileN: 64,
      tileK: 64,
    })
  })
})

describe('overrides', () => {
  test('are taken as they are, and the rest follows them', () => {
    expect(
      cut(gemm(512, 512, 4096), { tileM: 64, tileK: 32, groupX: 2, groups: 4, split: 'n' }),
    ).toMatchObject([
      { tileM: 64, groupY: 8, groupX: 2, tileN: 128, tileK: 32, groups: 4, split: 'n' },
    ])
  })

  test.each([
    [{ groupX: 33 }, 'mapping.groupX: must be at most 32 (chip.tiles.x), got 33'],
    [{ groupY: 64 }, 'mapping.groupY: must be at most 32 (chip.tiles.y), got 64'],
    [
      { groupX: 16, groupY: 16, groups: 5 },
      'mapping.groups: must be at most 4 for groups of 16 × 16 on 32 × 32 tiles, got 5',
    ],
    [
      { split: 'none', groups: 2 } as const,
      'mapping.groups: must be 1 for mapping.split none, got 2',
    ],
    [
      { tileM: 1024, tileN: 1024 },
      'mapping: a tile of 1024 × 1024 × 1 (tileM × tileN × tileK) needs 1.004 MiB of L1 in fp8, ' +
        'but chip.l1.capacityKiB gives 384 KiB; tiles of 128 × 128 × 128 fit',
    ],
  ])('%o are refused with the numbers', (overrides, message) => {
    expect(cut(gemm(512, 512, 512), overrides)).toBe(message)
  })
})
