import { describe, expect, test, vi } from 'vitest'
import { VectorSimulation } from '#shared/models/event/vector/simulate-vector.ts'
import { sumOfParts } from '#shared/models/vector/vector-parts.ts'
import { tokenWork } from '#shared/models/vector/vector-steps.ts'
import { resolveChip } from '#shared/schema/chip.ts'
import { resolveVector, vectorKernels, type VectorDocument } from '#shared/schema/vector-input.ts'
import { estimateVector } from '#shared/simulate/run-vector.ts'
import { makeChipConfig, makeHbm } from '#test/support/make-chip.ts'
import { makeVectorInput } from '#test/support/make-vector-input.ts'

// A million events take some seconds where all cores are busy.
vi.setConfig({ testTimeout: 60_000 })

type Changes = NonNullable<Parameters<typeof makeVectorInput>[0]>

const simulated = (changes: Changes): VectorDocument =>
  estimateVector({ ...makeVectorInput(changes), engine: 'event' })

const meshOf = (x: number, y: number, channels: number) =>
  makeChipConfig({ tiles: { x, y }, hbm: makeHbm({ south: channels }) })

const movedBytes = ({ event }: VectorDocument) => {
  const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0)
  const { readBytes = [], writtenBytes = [] } = event?.channels ?? {}
  return { read: sum(readBytes), written: sum(writtenBytes) }
}

/** A simulation that has ended. */
const ended = (changes: Changes, mostRounds?: number): VectorSimulation => {
  const input = makeVectorInput(changes)
  const chip = resolveChip(input.chip)
  const workload = resolveVector(input.workload)
  const work = tokenWork(workload, chip)
  const simulation = new VectorSimulation(
    workload,
    work,
    chip,
    mostRounds === undefined ? {} : { mostRounds },
  )
  let goesOn = true
  while (goesOn) goesOn = simulation.run(1000)
  return simulation
}

describe('a vector kernel on the event engine', () => {
  test.each(vectorKernels)('%s moves the bytes that the phase engine counts', kernel => {
    for (const chip of [meshOf(1, 1, 1), meshOf(4, 4, 4), meshOf(3, 5, 6), meshOf(7, 2, 3)]) {
      for (const tokens of [1, 13, 40]) {
        const document = simulated({ chip, workload: { kernel, tokens } })
        const { hbmReadBytes, hbmWriteBytes } = document.result
        expect(movedBytes(document)).toEqual({ read: hbmReadBytes, written: hbmWriteBytes })
      }
    }
  })

  test.each(vectorKernels)('%s gives the last tile a time of which every part is known', kernel => {
    for (const tokens of [1, 13, 40]) {
      const simulation = ended({ chip: meshOf(3, 5, 6), workload: { kernel, tokens } })
      expect(sumOfParts(simulation.allTilesParts)).toBeCloseTo(simulation.simulatedCycles, 6)
      expect(sumOfParts(simulation.firstTileParts)).toBeLessThan(simulation.simulatedCycles)
    }
  })

  test('runs on a single tile, without a barrier', () => {
    const { result } = simulated({ chip: meshOf(1, 1, 1), workload: { kernel: 'add', tokens: 3 } })
    expect(result.breakdown.find(({ component }) => component === 'other')?.seconds).toBe(0)
    expect(result.mapping.tokensPerTile).toBe(3)
  })

  test('is deterministic', () => {
    const input = { chip: meshOf(5, 3, 2), workload: { kernel: 'combine', tokens: 31 } } as const
    expect(simulated(input)).toEqual(simulated(input))
  })

  test('takes the arithmetic of the phase engine', () => {
    const changes = { workload: { kernel: 'silu-gate', tokens: 1 } } as const
    const vectorSeconds = ({ result }: VectorDocument) =>
      result.breakdown.find(({ component }) => component === 'vector')?.seconds
    expect(vectorSeconds(simulated(changes))).toBeCloseTo(
      vectorSeconds(estimateVector(makeVectorInput(changes))) ?? NaN,
      12,
    )
  })
})

describe('what the tiles share', () => {
  test('one channel serves the line of the tables that all read where all positions are 0', () => {
    const rope = { kernel: 'rope', tokens: 512, width: 64 } as const
    const zeros = simulated({ workload: rope })
    const reads = [...(zeros.event?.channels.readBytes ?? [])].toSorted((a, b) => b - a)
    // The cosines and sines of 512 tokens; nobody else has more than a few rows.
    expect(reads[0]).toBeGreaterThanOrEqual(512 * 64)
    expect(reads[1]).toBeLessThan(512 * 8)
    const random = simulated({ workload: { ...rope, data: 'random' } })
    expect(zeros.result.cyclesAllTiles).toBeGreaterThan(1.8 * random.result.cyclesAllTiles)
    expect(zeros.result.cyclesFirstTile).toBeCloseTo(random.result.cyclesFirstTile, -2)
  })

  test('the store of one token delays the load of the next', () => {
    const norm = (tokens: number) =>
      simulated({ chip: meshOf(4, 4, 1), workload: { kernel: 'rms-norm', tokens } }).result
    const one = norm(16)
    const two = norm(32)
    const added = two.cyclesFirstTile - one.cyclesFirstTile
    expect(added).toBeGreaterThan(one.cyclesFirstTile)
  })

  test('a tile with few tokens does not wait for the channels of many', () => {
    const alone = simulated({ workload: { kernel: 'add', tokens: 1 } }).result
    const all = simulated({ workload: { kernel: 'add', tokens: 1024 } }).result
    expect(all.cyclesFirstTile).toBeGreaterThan(3 * alone.cyclesFirstTile)
  })

  test('the increments of dispatch queue at the counter of a single expert', () => {
    const dispatch = (experts: number) =>
      simulated({ workload: { kernel: 'dispatch', tokens: 1024, experts, topK: 1 } }).result
    expect(dispatch(1).cyclesAllTiles).toBeGreaterThan(dispatch(256).cyclesAllTiles + 500)
  })
})

describe('a kernel of many tokens', () => {
  const many = { chip: meshOf(4, 2, 2), workload: { kernel: 'add', tokens: 8 * 60 + 3 } } as const

  test('is simulated in part, close to the whole', () => {
    const whole = ended(many)
    const part = ended(many, 20)
    expect([whole.iterations, whole.simulatedIterations]).toEqual([61, 61])
    expect([part.iterations, part.simulatedIterations]).toEqual([61, 20])
    const sums = [whole, part].map(one => sumOfParts(one.allTilesParts))
    expect((sums[1] ?? 0) / (sums[0] ?? 1)).toBeCloseTo(1, 1)
    expect(part.machine.simulator.events).toBeLessThan(0.4 * whole.machine.simulator.events)
  })

  test('says so, and stays at the rate of the channels', () => {
    const { result, warnings, event } = simulated({
      chip: meshOf(4, 2, 2),
      workload: { kernel: 'add', tokens: 1_000_000 },
    })
    expect(event?.simulatedIterations).toBeLessThan(125_000)
    expect(warnings.find(({ code }) => code === 'extrapolated')?.message).toMatch(
      /of 125000 tokens of a tile were simulated/,
    )
    expect(result.hbmBandwidthUtilization).toBeGreaterThan(0.8)
    expect(result.hbmBandwidthUtilization).toBeLessThanOrEqual(0.98)
  })
})
