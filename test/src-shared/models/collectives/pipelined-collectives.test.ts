import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { backToBackBarrier } from '#shared/models/collectives/barrier.ts'
import {
  pieceOf,
  pipelinedMulticast,
  pipelinedReduction,
  type PipelinedCollective,
} from '#shared/models/collectives/pipelined-collectives.ts'
import { vectorAdd } from '#shared/models/collectives/software-collectives.ts'
import { bytes } from '#shared/units/quantity.ts'
import { makeChip } from '#test/support/make-chip.ts'

const chip = makeChip()

const line = (size: number, participants: number, stages: number): PipelinedCollective => ({
  size: bytes(size),
  elementBytes: bytes(2),
  participants,
  groupX: participants,
  groupY: 1,
  stages,
})

describe('pieces', () => {
  test.each([
    [8192, 8, 1024],
    [10, 4, 4],
    [10, 5, 2],
    [3, 1, 3],
  ])('of %d bytes in %d stages are %d bytes, whole elements', (size, stages, piece) => {
    expect(pieceOf(line(size, 4, stages))).toBe(piece)
  })
})

describe('multicast', () => {
  test('has σ + n − 1 steps, of which the last moves nothing', () => {
    const step = 45 + backToBackBarrier(4, 1, chip)
    expect(pipelinedMulticast(line(8192, 4, 8), chip)).toBeCloseTo(11 * step + 10 * 8, 9)
  })
})

describe('reduction', () => {
  test('has σ + n steps, of which two move nothing, and adds in the others', () => {
    const step = 45 + backToBackBarrier(4, 1, chip)
    const add = vectorAdd(bytes(1024), bytes(2), chip)
    expect(pipelinedReduction(line(8192, 4, 8), chip)).toBeCloseTo(
      12 * step + 10 * (8 + add + 24),
      9,
    )
  })
})

describe('for any size, line and number of stages', () => {
  const size = fc.integer({ min: 2, max: 200_000 })
  const participants = fc.integer({ min: 2, max: 256 })
  const stages = fc.integer({ min: 1, max: 64 })

  test('over one tile there is nothing to do', () => {
    fc.assert(
      fc.property(size, stages, (count, pieces) => {
        expect(pipelinedMulticast(line(count, 1, pieces), chip)).toBe(0)
        expect(pipelinedReduction(line(count, 1, pieces), chip)).toBe(0)
      }),
    )
  })

  test('a reduction takes longer than a multicast', () => {
    fc.assert(
      fc.property(size, participants, stages, (count, tiles, pieces) => {
        const collective = line(count, tiles, pieces)
        expect(pipelinedReduction(collective, chip)).toBeGreaterThan(
          pipelinedMulticast(collective, chip),
        )
      }),
    )
  })

  test('more bytes are never faster', () => {
    fc.assert(
      fc.property(size, size, participants, stages, (count, more, tiles, pieces) => {
        for (const collective of [pipelinedMulticast, pipelinedReduction]) {
          expect(collective(line(count + more, tiles, pieces), chip)).toBeGreaterThanOrEqual(
            collective(line(count, tiles, pieces), chip),
          )
        }
      }),
    )
  })

  test('enough stages approach one flit per cycle for large messages', () => {
    const flits = 2 ** 30 / 128
    const time = pipelinedMulticast(line(2 ** 30, 32, 4096), chip)
    expect(time / flits).toBeGreaterThan(1)
    expect(time / flits).toBeLessThan(1.15)
  })
})
