import { describe, expect, test } from 'vitest'
import type { StudyRequest } from '#shared/schema/study-input.ts'
import { estimateAttention } from '#shared/simulate/run-attention.ts'
import { runStudy } from '#shared/simulate/run-study.ts'
import { finish, InfeasibleError } from '#shared/simulate/simulation.ts'
import { meshOf, presetChip, publishedInput } from '#shared/validation/published-input.ts'

const resultOf = (request: StudyRequest) => finish(runStudy(request)).result

describe('group scale', () => {
  const result = resultOf({ study: 'group-scale' })
  if (result.study !== 'group-scale') throw new Error('another study')
  const at = (length: number, group: number) =>
    result.points.find(point => point.length === length && point.group === group)

  test('a point is the estimate of the same kernel', () => {
    const { result: estimate } = estimateAttention(
      publishedInput({
        ...{ chip: presetChip('flat-2025'), dataflow: 'flat-async', batch: 4, heads: 32 },
        ...{ headDim: 128, queryLength: 512, kvLength: 512 },
        mapping: { groupX: 16, groupY: 16 },
      }),
    )
    expect(at(512, 16)).toMatchObject({ seconds: estimate.seconds, sliceRows: 32 })
  })

  test('published runtimes stand beside those of the model, within a fifth', () => {
    const published = result.points.filter(point => point.publishedSeconds !== null)
    expect(published).toHaveLength(8)
    for (const { seconds, publishedSeconds } of published) {
      expect(Math.abs(seconds / (publishedSeconds ?? 0) - 1)).toBeLessThan(0.2)
    }
  })

  test('short sequences are over-flattened by the whole mesh, long ones are not', () => {
    expect(at(512, 32)?.seconds).toBeGreaterThan(5 * (at(512, 8)?.seconds ?? 0))
    expect(at(4096, 32)?.seconds).toBeLessThan(at(4096, 8)?.seconds ?? 0)
    expect(result.findings[0]).toMatch(/^S 512: a group of 8 × 8 is fastest.*over-flattened\.$/)
    expect(result.findings[3]).toContain('largest that the mesh has')
  })

  test('the parts of a runtime add up to it', () => {
    for (const { breakdown, seconds } of result.points) {
      expect(breakdown.reduce((sum, part) => sum + part.seconds, 0)).toBeCloseTo(seconds, 12)
    }
  })

  test('another chip has its own groups, and no published numbers', () => {
    const other = resultOf({ study: 'group-scale', chip: meshOf(8, 4) })
    if (other.study !== 'group-scale') throw new Error('another study')
    expect(Math.max(...other.points.map(({ group }) => group))).toBe(8)
    expect(other.points.every(({ publishedSeconds }) => publishedSeconds === null)).toBe(true)
  })

  test('a chip on which nothing runs says why', () => {
    const chip = presetChip('flat-2026')
    const tiny = { ...chip, l1: { ...chip.l1, capacityKiB: 1 } }
    expect(() => resultOf({ study: 'group-scale', chip: tiny })).toThrow(InfeasibleError)
  })
})

describe('slice', () => {
  const result = resultOf({ study: 'slice' })
  if (result.study !== 'slice') throw new Error('another study')

  test('the bytes are the published ones', () => {
    for (const { l1Bytes, publishedBytes } of result.points) expect(l1Bytes).toBe(publishedBytes)
  })

  test('128 rows and columns fit at D 128, 192 do not', () => {
    const fits = (slice: number) =>
      result.points.find(point => point.headDim === 128 && point.slice === slice)?.fits
    expect([fits(128), fits(192)]).toEqual([true, false])
  })

  test('no utilisation is above 1, and what is found is said for both head dimensions', () => {
    for (const { matrixUtilization } of result.points) expect(matrixUtilization).toBeLessThan(1)
    expect(result.findings).toHaveLength(2)
    expect(result.findings[1]).toContain('slices of 128 rows and columns')
  })

  test('an L1 without room says so', () => {
    const chip = presetChip('flat-2026')
    const tiny = resultOf({ study: 'slice', chip: { ...chip, l1: { ...chip.l1, capacityKiB: 1 } } })
    expect(tiny.findings[0]).toBe('D 128: no slice fits in 1 KiB of L1.')
  })
})

describe('collectives', () => {
  const result = resultOf({ study: 'collectives' })
  if (result.study !== 'collectives') throw new Error('another study')

  test('the ratios at 256 KiB are near the published ones', () => {
    const published = result.points.filter(point => point.publishedOverHardware !== null)
    expect(published).toHaveLength(4)
    for (const { overHardware, publishedOverHardware } of published) {
      expect(Math.abs(overHardware / (publishedOverHardware ?? 0) - 1)).toBeLessThan(0.15)
    }
  })

  test('software never beats the routers', () => {
    for (const { overHardware } of result.points) expect(overHardware).toBeGreaterThanOrEqual(1)
  })

  test('a row of one tile has no collective', () => {
    expect(() => resultOf({ study: 'collectives', chip: meshOf(1, 1) })).toThrow(
      'chip.tiles.x: must be at least 2 for a collective along a row, got 1',
    )
  })
})
