import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { simulatedPart, wholeKernel } from '#shared/models/event/summa/summa-part.ts'
import {
  lengthOf,
  matrixOperations,
  summaPanels,
  summaShares,
  summaSteps,
} from '#shared/models/event/summa/summa-work.ts'
import { propertyRuns } from '#test/support/make-property-settings.ts'
import { arbitrarySumma, makeMesh, makeSummaShape } from '#test/support/make-summa-shape.ts'

describe('the shares of the groups', () => {
  test('cover the contraction, the columns or the products once, without gap', () => {
    fc.assert(
      fc.property(arbitrarySumma, ({ shape }) => {
        const { workload, split } = shape
        const shares = summaShares(shape)
        const whole = { products: workload.batch, columns: workload.n, contraction: workload.k }
        const cut = ({ k: 'contraction', n: 'columns', batch: 'products' } as const)[
          split === 'none' ? 'k' : split
        ]
        for (const field of ['products', 'columns', 'contraction'] as const) {
          const lengths = shares.map(share => lengthOf(share[field]))
          const sum = lengths.reduce((total, length) => total + length, 0)
          expect(sum).toBe(field === cut ? whole[field] : shares.length * whole[field])
        }
        shares.forEach((share, index) => {
          expect(share[cut].first).toBe(index === 0 ? 0 : shares[index - 1]?.[cut].end)
        })
      }),
      propertyRuns(200),
    )
  })

  test('have the panels and steps that the phase engine counts, in the first group', () => {
    fc.assert(
      fc.property(arbitrarySumma, ({ shape }) => {
        const [share] = summaShares(shape)
        if (share === undefined) throw new Error('no group')
        expect(summaPanels(shape, share)).toHaveLength(shape.outputBlocks)
        expect(summaSteps(shape, share)).toBe(shape.steps)
        expect(wholeKernel(shape)).toEqual({ panels: shape.outputBlocks, steps: shape.steps })
      }),
      propertyRuns(200),
    )
  })
})

describe('the part that is simulated', () => {
  const chip = makeMesh(32, 32, 64)
  const large = (k: number) =>
    makeSummaShape(chip, { m: 65_536, n: 65_536, k }, { groupX: 32, groupY: 32 })

  test('is all of a kernel of a few steps', () => {
    const shape = makeSummaShape(makeMesh(4), { m: 1024, k: 4096 })
    expect(simulatedPart(shape, makeMesh(4))).toEqual({ panels: 2, steps: 32 })
  })

  test('has two panels of a long kernel, with all steps that store and some more', () => {
    expect(simulatedPart(large(65_536), chip)).toEqual({ panels: 2, steps: 48 })
  })

  test('has more panels where each has few steps', () => {
    const { panels, steps } = simulatedPart(large(512), chip)
    expect(steps).toBe(4)
    expect(panels).toBeGreaterThan(5)
  })

  test('does not grow with the kernel', () => {
    const operations = (k: number) => {
      const shape = large(k)
      return matrixOperations(shape, simulatedPart(shape, chip))
    }
    expect(operations(1_048_576)).toBe(operations(16_384))
  })
})
