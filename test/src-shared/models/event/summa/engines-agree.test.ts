import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Chip } from '#shared/hardware/chip.ts'
import { summaKernel } from '#shared/models/summa/summa-kernel.ts'
import type { SummaShape } from '#shared/models/summa/summa-shape.ts'
import { propertyRuns } from '#test/support/make-property-settings.ts'
import { makeMesh, makeSummaShape, simulateSumma } from '#test/support/make-summa-shape.ts'

/** Grids whose blocks fit evenly, on meshes of 4 to 16 tiles on a side. */
const arbitraryMapping = fc
  .record({
    side: fc.constantFrom(4, 8, 16),
    density: fc.constantFrom(0.5, 1, 2),
    groupX: fc.constantFrom(1, 2, 4, 8, 16),
    groupY: fc.constantFrom(1, 2, 4, 8, 16),
    groups: fc.constantFrom(1, 2, 4),
    split: fc.constantFrom('k', 'n', 'batch'),
    tileM: fc.constantFrom(32, 64, 128),
    tileN: fc.constantFrom(64, 128),
    tileK: fc.constantFrom(64, 128),
    steps: fc.constantFrom(2, 4, 8, 12),
    rowPanels: fc.constantFrom(1, 2),
    columnPanels: fc.constantFrom(1, 2),
    dtype: fc.constantFrom('fp16', 'fp8'),
  })
  .map(({ side, density, steps, rowPanels, columnPanels, dtype, ...drawn }) => {
    const chip = makeMesh(side, side, side * density)
    const { tileM, tileN, tileK } = drawn
    const groupX = Math.min(side, drawn.groupX)
    const groupY = Math.min(side, drawn.groupY)
    const groups = Math.min(drawn.groups, (side / groupX) * (side / groupY))
    const split = groups === 1 ? 'none' : drawn.split
    const workload = {
      m: tileM * groupY * rowPanels,
      n: tileN * groupX * columnPanels * (split === 'n' ? groups : 1),
      k: tileK * steps * (split === 'k' ? groups : 1),
      batch: split === 'batch' ? groups : 1,
      dtype,
    }
    const grid = { tileM, tileN, tileK, groupX, groupY, groups, split } as const
    return { chip, shape: makeSummaShape(chip, workload, grid) }
  })

/** What both engines say, and whether at least 80 % of the time is that of products. */
function compared({ chip, shape }: { readonly chip: Chip; readonly shape: SummaShape }) {
  const phase = summaKernel(shape, chip)
  const { matrix, stepOverhead } = phase.time.costs
  const products = shape.outputBlocks * shape.steps * (matrix + stepOverhead)
  return {
    excess: phase.result.cycles / simulateSumma(shape, chip).cycles - 1,
    hides: products >= 0.8 * phase.result.cycles,
  }
}

const mappings = fc.sample(arbitraryMapping, propertyRuns(200)).map(compared)

describe('the two engines, on 200 random mappings', () => {
  const hidden = mappings.filter(({ hides }) => hides)
  const exposed = mappings.filter(({ hides }) => !hides)

  test('have enough of both kinds', () => {
    expect(Math.min(hidden.length, exposed.length)).toBeGreaterThan(30)
  })

  test('agree within 8 % where the products hide the loads', () => {
    expect(hidden.filter(({ excess }) => Math.abs(excess) > 0.08)).toEqual([])
  })

  test('elsewhere the phase engine is the slower one: it lets all tiles load X, then all load W', () => {
    expect(exposed.filter(({ excess }) => excess < -0.08)).toEqual([])
    expect(exposed.filter(({ excess }) => excess > 0.5)).toEqual([])
  })
})
