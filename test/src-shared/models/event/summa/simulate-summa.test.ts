import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { matrixContext } from '#shared/models/attention/tile-costs.ts'
import { matrixOperation } from '#shared/models/engines/matrix-engine.ts'
import { defaultSummaOptions, SummaSimulation } from '#shared/models/event/summa/simulate-summa.ts'
import { summaKernel } from '#shared/models/summa/summa-kernel.ts'
import { propertyRuns } from '#test/support/make-property-settings.ts'
import {
  arbitrarySumma,
  makeMesh,
  makeSummaShape,
  simulateSumma,
} from '#test/support/make-summa-shape.ts'

const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0)

function bytesOf({ machine }: SummaSimulation) {
  const { channels } = machine
  const lines = Array.from({ length: channels.count }, (_, channel) => channel)
  return {
    read: sum(lines.map(channel => channels.read.total(channel))),
    written: sum(lines.map(channel => channels.written.total(channel))),
  }
}

const chip = makeMesh(4)
const cyclesOf = (
  ...change: [Parameters<typeof makeSummaShape>[1]?, Parameters<typeof makeSummaShape>[2]?]
) => simulateSumma(makeSummaShape(chip, ...change), chip).cycles

/** Operations of one tile, in the order of their start. */
function timelineOf(tile: number, ...change: [Parameters<typeof makeSummaShape>[1]?]) {
  const { machine } = simulateSumma(makeSummaShape(chip, ...change), chip, {
    ...defaultSummaOptions,
    timelineTiles: [tile],
  })
  return machine.activity.operations.toSorted((a, b) => a.start - b.start)
}

describe('traffic', () => {
  test('is what the phase engine counts, on any mesh, in any grid', () => {
    fc.assert(
      fc.property(arbitrarySumma, ({ chip: mesh, shape }) => {
        const { traffic } = summaKernel(shape, mesh)
        expect(bytesOf(simulateSumma(shape, mesh))).toEqual({
          read: traffic.xBytes + traffic.wBytes,
          written: traffic.zBytes,
        })
      }),
      propertyRuns(60),
    )
  })

  test('has the stores of Z that the public kernel repeats, where that is asked for', () => {
    const shape = makeSummaShape(chip, { m: 1024, n: 1024, k: 1024 })
    const repeated = simulateSumma(shape, chip, { ...defaultSummaOptions, repeatsStores: true })
    // Four panels; in eight steps and four columns each but the last is stored five times.
    expect(bytesOf(repeated).written).toBe(((3 * 5 + 1) / 4) * 2 * 1024 ** 2)
    expect(bytesOf(simulateSumma(shape, chip)).written).toBe(2 * 1024 ** 2)
  })
})

describe('the sum over groups that split k', () => {
  const artefact = (sumBeforeProducts: boolean) => {
    const config = makeMesh(4)
    return { ...config, artefacts: { ...config.artefacts, sumBeforeProducts } }
  }
  /** When the last product of the first panel has ended anywhere, and when the first sum begins. */
  function order(sumBeforeProducts: boolean) {
    const design = artefact(sumBeforeProducts)
    const shape = makeSummaShape(
      design,
      { m: 128, n: 128, k: 1024 },
      { ...{ split: 'k', groupX: 2, groupY: 2, groups: 4 }, tileM: 64, tileN: 64, tileK: 128 },
    )
    const tiles = Array.from({ length: 16 }, (_, tile) => tile)
    const { machine, cycles } = simulateSumma(shape, design, {
      ...defaultSummaOptions,
      timelineTiles: tiles,
    })
    const named = (name: string) => machine.activity.operations.filter(one => one.name === name)
    return {
      cycles,
      lastProduct: Math.max(...named('X · W').map(({ end }) => end)),
      firstSum: Math.min(...named('sum over the groups').map(({ start }) => start)),
    }
  }

  test('waits for the products of all', () => {
    const { lastProduct, firstSum } = order(false)
    expect(firstSum).toBeGreaterThanOrEqual(lastProduct)
  })

  test('waits for the loads only where the chip follows the public kernel', () => {
    const [early, late] = [order(true), order(false)]
    expect(early.firstSum).toBeLessThan(early.lastProduct)
    expect(early.cycles).toBeLessThanOrEqual(late.cycles)
  })

  test('is no matter where k is not split', () => {
    const [early, late] = [true, false].map(artefact).map(design => {
      const shape = makeSummaShape(design, { m: 512, n: 512, k: 512 })
      return simulateSumma(shape, design).cycles
    })
    expect(early).toBe(late)
  })
})

describe('time', () => {
  test('is never below the matrix operations of a tile, nor the bytes at the peak', () => {
    fc.assert(
      fc.property(arbitrarySumma, ({ chip: mesh, shape }) => {
        const { tileM, tileN, tileK, workload } = shape
        const matrix = matrixOperation(
          { rows: tileM, contraction: tileK, columns: tileN },
          matrixContext(mesh, workload.dtype),
        )
        const { cycles } = simulateSumma(shape, mesh)
        expect(cycles).toBeGreaterThanOrEqual(shape.outputBlocks * shape.steps * matrix)
        expect(cycles).toBeGreaterThanOrEqual(summaKernel(shape, mesh).floorCycles)
      }),
      propertyRuns(40),
    )
  })

  test('grows by a matrix operation and its overhead with each step that hides its loads', () => {
    // The first and the last steps of a panel differ by some cycles with the rows that are open.
    const step = (cyclesOf({ k: 2048 }) - cyclesOf({ k: 1024 })) / 8
    expect(Math.abs(step - (4193 + 21 + 4 * 3.2))).toBeLessThan(2)
  })

  test('is the same twice', () => {
    expect(cyclesOf({ n: 1024 })).toBe(cyclesOf({ n: 1024 }))
  })

  test('is that of the phase engine on a chip of one tile', () => {
    const one = makeMesh(1)
    const shape = makeSummaShape(one, {}, { groupX: 1, groupY: 1 })
    const event = simulateSumma(shape, one).cycles
    expect(event / summaKernel(shape, one).result.cycles).toBeCloseTo(1, 1)
  })

  test('is longer where all that load rows stand in one column of the mesh', () => {
    const mesh = makeMesh(16, 16, 64)
    const shape = makeSummaShape(mesh, { m: 2048, n: 256 }, { groupX: 16, groupY: 16, tileN: 16 })
    const edge = simulateSumma(shape, mesh, { ...defaultSummaOptions, loaders: 'edge' }).cycles
    expect(edge / simulateSumma(shape, mesh).cycles).toBeGreaterThan(1.2)
  })
})

describe('the program of a tile', () => {
  test('loads and multicasts X, then W, where it stands on the diagonal', () => {
    const names = timelineOf(0)
      .filter(({ engine }) => engine === 'dma')
      .map(({ name }) => name)
    expect(names.slice(0, 5)).toEqual([
      'clearing of Z',
      'load of X',
      'multicast of X',
      'load of W',
      'multicast of W',
    ])
  })

  test('only computes and stores elsewhere', () => {
    const names = new Set(timelineOf(1).map(({ name }) => name))
    expect(names).toEqual(new Set(['clearing of Z', 'X · W', 'store of Z']))
  })

  test('loads the next step beside the matrix operation of this one', () => {
    const operations = timelineOf(0)
    const products = operations.filter(({ name }) => name === 'X · W')
    const loads = operations.filter(({ name }) => name === 'load of X')
    expect([products.length, loads.length]).toEqual([4, 4])
    for (const [index, product] of products.slice(0, -1).entries()) {
      expect(loads[index + 1]?.start).toBe(product.start)
      expect(loads[index + 1]?.end).toBeLessThan(product.end)
    }
  })

  test('stores a panel in another step of the next one than its neighbours in the row', () => {
    const stepOfStore = [0, 1, 2, 3].map(tile => {
      const operations = timelineOf(tile, { n: 1024 })
      const products = operations.filter(({ name }) => name === 'X · W')
      const [store] = operations.filter(({ name }) => name === 'store of Z')
      return products.filter(({ start }) => start <= (store?.start ?? 0)).length - 1
    })
    expect(stepOfStore).toEqual([4, 5, 6, 7])
  })

  test('sums over the groups in the first of them only, when its product is there', () => {
    const shape = makeSummaShape(chip, { m: 128 }, { groupY: 1, groups: 4, split: 'k' })
    const { machine } = simulateSumma(shape, chip, {
      ...defaultSummaOptions,
      timelineTiles: [0, 4, 8, 12],
    })
    const { operations } = machine.activity
    const sums = operations.filter(({ component }) => component === 'sum-reduction')
    expect(sums.map(({ tile }) => tile)).toEqual([0])
    const started = sums[0]?.start ?? 0
    const own = operations.filter(({ name, tile }) => name === 'X · W' && tile === 0)
    expect(started).toBeGreaterThanOrEqual(Math.max(...own.map(({ end }) => end)))
    const loads = operations.filter(({ component }) => component === 'hbm')
    const before = loads.filter(({ name }) => name !== 'store of Z')
    expect(started).toBeGreaterThan(Math.max(...before.map(({ end }) => end)))
  })
})

describe('a long kernel', () => {
  const long = makeSummaShape(chip, { m: 1024, n: 2048, k: 8192 })
  const whole = simulateSumma(long, chip)

  test('is simulated as a whole where that is affordable', () => {
    expect([whole.simulatedIterations, whole.iterations]).toEqual([512, 512])
    expect(whole.cycles).toBe(whole.simulatedCycles)
    expect(whole.progress).toBe(1)
  })

  test.each([
    ['two panels of 24 steps', { panels: 2, steps: 24 }],
    ['three whole panels', { panels: 3, steps: 64 }],
    ['all panels, 24 steps of each', { panels: 8, steps: 24 }],
  ])('follows from %s within half a percent', (_, part) => {
    const simulation = new SummaSimulation(long, chip, defaultSummaOptions, part)
    while (simulation.run(100_000));
    expect(simulation.simulatedCycles).toBeLessThan(0.8 * whole.cycles)
    expect(Math.abs(simulation.cycles / whole.cycles - 1)).toBeLessThan(0.005)
  })
})
