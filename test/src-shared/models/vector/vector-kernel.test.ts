import { describe, expect, test } from 'vitest'
import { estimateVector } from '#shared/simulate/run-vector.ts'
import { makeChipConfig, makeHbm } from '#test/support/make-chip.ts'
import { makeVectorInput } from '#test/support/make-vector-input.ts'

const resultOf = (changes: Parameters<typeof makeVectorInput>[0]) =>
  estimateVector(makeVectorInput(changes)).result
const secondsOf = (changes: Parameters<typeof makeVectorInput>[0], component: string) =>
  resultOf(changes).breakdown.find(part => part.component === component)?.seconds

describe('the arithmetic of one token', () => {
  const oneToken = (kernel: 'rms-norm' | 'add' | 'silu-gate' | 'rope', width: number) =>
    Math.round((secondsOf({ workload: { kernel, width, tokens: 1 } }, 'vector') ?? 0) * 1.93e9)

  test('passes six times over a row on one engine for RMSNorm: 32 elements a cycle in FP8', () => {
    expect(oneToken('rms-norm', 7168)).toBe(6 * 224 + 2 * 23)
  })

  test('passes four times over a quarter of a row for a sum', () => {
    expect(oneToken('add', 7168)).toBe(4 * 56 + 23)
  })

  test('passes 19 times over a quarter of a row for the activation', () => {
    expect(oneToken('silu-gate', 2048)).toBe(19 * 16 + 6 * 23)
  })

  test('passes 28 times over half a quarter of a row for the rotation', () => {
    expect(oneToken('rope', 8192)).toBe(28 * 32 + 6 * 23)
  })

  test('takes twice the passes in FP16', () => {
    const fp16 = secondsOf({ workload: { kernel: 'add', tokens: 1, dtype: 'fp16' } }, 'vector')
    expect(Math.round((fp16 ?? 0) * 1.93e9)).toBe(4 * 112 + 23)
  })

  test('waits for a slow exponential unit in the activation only', () => {
    const slow = makeChipConfig({
      vectorEngine: { ...makeChipConfig().vectorEngine, expRate: 0.25 },
    })
    const cycles = (kernel: 'add' | 'silu-gate', chip = makeChipConfig()) =>
      resultOf({ chip, workload: { kernel, tokens: 1 } }).cycles
    expect(cycles('silu-gate', slow) - cycles('silu-gate')).toBeCloseTo(3 * 16, 9)
    expect(cycles('add', slow)).toBe(cycles('add'))
  })
})

describe('the memory', () => {
  test('binds a norm of many tokens, and the engines one of a few', () => {
    expect(resultOf({ workload: { tokens: 1 } }).bound).toBe('compute')
    expect(resultOf({ workload: { tokens: 512 } }).bound).toBe('memory')
  })

  test('is used at most at the rate of its channels, which many tokens come near to', () => {
    const { hbmBandwidthUtilization } = resultOf({ workload: { kernel: 'add', tokens: 65_536 } })
    expect(hbmBandwidthUtilization).toBeGreaterThan(0.85)
    expect(hbmBandwidthUtilization).toBeLessThan(0.98)
  })

  test('serves one line for all where all positions are zero, which takes longer', () => {
    const cycles = (data: 'zeros' | 'random') =>
      resultOf({ workload: { kernel: 'rope', width: 64, data } }).cycles
    expect(cycles('zeros')).toBeGreaterThan(2 * cycles('random'))
  })

  test('delays all tiles by less than tile 0 where it has more channels', () => {
    const wide = makeChipConfig({ hbm: makeHbm({ south: 64 }) })
    const narrow = makeChipConfig({ hbm: makeHbm({ south: 32 }) })
    expect(resultOf({ chip: wide }).cycles).toBeLessThan(resultOf({ chip: narrow }).cycles)
  })
})

describe('the timers', () => {
  test('differ by the last store, the slower tiles and a barrier', () => {
    const first = resultOf({ timing: 'first-tile' })
    const all = resultOf({ timing: 'all-tiles' })
    expect(first.cycles).toBe(all.cyclesFirstTile)
    expect(all.cycles).toBe(first.cyclesAllTiles)
    expect(first.cycles / all.cycles).toBeLessThan(0.7)
    expect(first.hbmBandwidthUtilization).toBe(all.hbmBandwidthUtilization)
  })

  test('differ by one store on a chip of a single tile, which has no barrier', () => {
    const chip = makeChipConfig({ tiles: { x: 1, y: 1 } })
    const { cyclesFirstTile, cyclesAllTiles } = resultOf({ chip, workload: { tokens: 1 } })
    expect(cyclesAllTiles - cyclesFirstTile).toBeCloseTo(20 + 7168 / 128, 9)
  })
})

describe('tokens', () => {
  test('of a tile follow one another', () => {
    const { mapping, cycles } = resultOf({ workload: { kernel: 'top-k', tokens: 2049 } })
    expect(mapping).toEqual({ activeTiles: 1024, tokensPerTile: 3, enginesPerToken: 0 })
    expect(cycles).toBeGreaterThan(3 * 256 * 11.3)
  })

  test('are dispatched by one increment for each expert of theirs, on top of its way', () => {
    const noc = secondsOf({ workload: { kernel: 'dispatch', tokens: 1 } }, 'noc')
    expect(Math.round((noc ?? 0) * 1.93e9)).toBe(8 * (17 + 31))
  })

  test('that all want one expert queue at its counter', () => {
    const noc = secondsOf({ workload: { kernel: 'dispatch', experts: 1, topK: 1 } }, 'noc')
    expect(Math.round((noc ?? 0) * 1.93e9)).toBe(512)
  })
})
