import fc from 'fast-check'
import type { Chip } from '#shared/hardware/chip.ts'
import type { SummaGrid } from '#shared/mapping/summa-grid.ts'
import {
  SummaSimulation,
  type SummaEventOptions,
} from '#shared/models/event/summa/simulate-summa.ts'
import { summaShape, type SummaShape } from '#shared/models/summa/summa-shape.ts'
import type { GemmWorkload } from '#shared/workload/gemm.ts'
import { makeChip, makeHbm } from '#test/support/make-chip.ts'

/** A mesh of the chip of arXiv 2604.02110 with as many channels on the south edge as columns. */
export const makeMesh = (x: number, y = x, channels = x): Chip =>
  makeChip({ tiles: { x, y }, hbm: makeHbm({ south: channels }) })

/** A GEMM of 4 × 4 blocks of 128 × 128 in steps of 128, with some parts replaced. */
export const makeSummaShape = (
  chip: Pick<Chip, 'tiles'>,
  workload: Partial<GemmWorkload> = {},
  grid: Partial<SummaGrid> = {},
): SummaShape =>
  summaShape(
    { m: 512, n: 512, k: 512, batch: 1, dtype: 'fp16', ...workload },
    {
      tileM: 128,
      tileN: 128,
      tileK: 128,
      groupX: 4,
      groupY: 4,
      groups: 1,
      split: 'none',
      ...grid,
    },
    chip,
  )

/** A kernel that has been simulated to its end, all of it. */
export function simulateSumma(
  shape: SummaShape,
  chip: Chip,
  options?: SummaEventOptions,
): SummaSimulation {
  const simulation = new SummaSimulation(shape, chip, options)
  while (simulation.run(100_000));
  return simulation
}

/** Small grids of every split on meshes of all shapes, with blocks that do not fit evenly. */
export const arbitrarySumma: fc.Arbitrary<{ readonly chip: Chip; readonly shape: SummaShape }> = fc
  .record({
    x: fc.integer({ min: 1, max: 7 }),
    y: fc.integer({ min: 1, max: 7 }),
    groupX: fc.integer({ min: 1, max: 7 }),
    groupY: fc.integer({ min: 1, max: 7 }),
    groups: fc.integer({ min: 1, max: 8 }),
    channels: fc.constantFrom(1, 3, 4),
    split: fc.constantFrom('k', 'n', 'batch'),
    dtype: fc.constantFrom('fp16', 'fp8'),
    m: fc.integer({ min: 1, max: 200 }),
    n: fc.integer({ min: 1, max: 200 }),
    k: fc.integer({ min: 1, max: 200 }),
    batch: fc.integer({ min: 1, max: 3 }),
    tileM: fc.integer({ min: 12, max: 60 }),
    tileN: fc.integer({ min: 12, max: 60 }),
    tileK: fc.integer({ min: 20, max: 90 }),
  })
  .map(({ x, y, groupX, groupY, groups, channels, split, dtype, m, n, k, batch, ...tile }) => {
    const chip = makeMesh(x, y, channels)
    const group = { groupX: Math.min(x, groupX), groupY: Math.min(y, groupY) }
    const room = Math.floor(x / group.groupX) * Math.floor(y / group.groupY)
    const used = Math.min(groups, room)
    const grid = { ...tile, ...group, groups: used, split: used === 1 ? 'none' : split } as const
    return { chip, shape: makeSummaShape(chip, { m, n, k, batch, dtype }, grid) }
  })
