import { describe, expect, test, vi } from 'vitest'
import { dataflowsOf } from '#shared/mapping/dataflow.ts'
import { MODEL_VERSION } from '#shared/model-version.ts'
import { chipPresets, workloadPresets } from '#shared/presets/presets.ts'
import type { TuneInput } from '#shared/schema/tune-input.ts'
import { estimateAttention } from '#shared/simulate/run-attention.ts'
import { finish, InfeasibleError } from '#shared/simulate/simulation.ts'
import { tuneAttention } from '#shared/simulate/tune-attention.ts'
import { makeAttentionInput } from '#test/support/make-attention-input.ts'
import { makeChipConfig } from '#test/support/make-chip.ts'
import { makeTuneInput } from '#test/support/make-tune-input.ts'
import { makeWorkload } from '#test/support/make-workload.ts'

vi.setConfig({ testTimeout: 60_000 })

const configOf = <Config>(presets: readonly { id: string; config: Config }[], id: string) => {
  const preset = presets.find(candidate => candidate.id === id)
  if (preset === undefined) throw new Error(`no preset ${id}`)
  return preset.config
}
const chip = configOf(chipPresets, 'flat-2026')
const layer = (id: string) => configOf(workloadPresets, id)
const tune = (changes: Partial<TuneInput>) =>
  finish(
    tuneAttention(makeTuneInput({ chip, workload: layer('mha-prefill-d128-s512'), ...changes })),
  )

const everything = tune({})
const { best, searched, rejected, ranked, unfit } = everything.result

describe('a search', () => {
  test('carries the versions and the input that it was made from', () => {
    const input = makeTuneInput({ chip, workload: layer('mha-prefill-d128-s512') })
    expect(everything).toMatchObject({ schemaVersion: 1, modelVersion: MODEL_VERSION, input })
    expect(JSON.parse(JSON.stringify(everything))).toEqual(everything)
  })

  test('finds numbers that the same mapping has by itself', () => {
    const { dataflow, ...result } = best
    const { groupX, groupY, sliceRows, sliceCols } = best.mapping
    const mapping = { groupX, groupY, sliceRows, sliceCols }
    const { workload } = everything.input
    const alone = estimateAttention(makeAttentionInput({ chip, workload, dataflow, mapping }))
    expect(result).toEqual(alone.result)
    expect(everything.explanation).toEqual(alone.explanation)
    expect(everything.warnings).toEqual(alone.warnings)
  })

  test('loses no mapping: each is the best, ranked or unfit, and counted', () => {
    const counts = Object.values(rejected).reduce((sum, count) => sum + count, 1)
    expect(counts).toBe(searched)
    expect(1 + ranked.length + unfit.length).toBe(searched)
    expect(searched).toBeGreaterThan(2000)
  })

  test('ranks by runtime, each with its place and its factor', () => {
    ranked.forEach(({ rank, cycles, slowdown }, index) => {
      expect(rank).toBe(index + 2)
      expect(cycles).toBeGreaterThanOrEqual(ranked[index - 1]?.cycles ?? best.cycles)
      expect(slowdown).toBeCloseTo(cycles / best.cycles - 1, 12)
    })
  })

  test('lists as many as were asked for, and counts them all', () => {
    const few = tune({ top: 3 }).result
    expect(few.ranked).toEqual(ranked.slice(0, 3))
    expect(few.unfit).toEqual(unfit.slice(0, 3))
    expect([few.searched, few.rejected]).toEqual([searched, rejected])
  })

  test('says how far it is, so that it can be watched and dropped', () => {
    const search = tuneAttention(makeTuneInput({ chip, workload: layer('mha-prefill-d128-s512') }))
    const steps = [search.next(), search.next(), search.next()].map(({ value }) => value)
    expect(steps).toEqual([0, 16, 32].map(done => ({ phase: 'search', done, total: searched })))
    search.return(everything)
    expect(search.next()).toEqual({ done: true, value: undefined })
  })
})

describe('the reason of a rejection', () => {
  test('has the two sizes where L1 is too small', () => {
    for (const { l1Bytes, reason } of unfit) {
      expect(l1Bytes).toBeGreaterThan(chip.l1.capacityKiB * 1024)
      expect(reason.message).toMatch(/^needs [\d.]+ [KMG]iB of L1, a tile has 384 KiB$/)
    }
    expect(unfit.length).toBe(rejected.l1)
    expect(unfit.length).toBeGreaterThan(0)
  })

  test('names the component that costs more, and by how much', () => {
    const slower = ranked.filter(({ reason }) => reason.code === 'slower')
    expect(slower.length).toBe(rejected.slower)
    for (const { reason } of slower) {
      expect(reason.message).toMatch(/^[\d.,]+ % slower: [A-Z][a-zA-Z ]+ \+[\d.,]+ (ns|µs|ms|s)/)
    }
  })

  test('names idle tiles where the best has fewer', () => {
    const idle = ranked.filter(({ reason }) => reason.code === 'idle-tiles')
    expect(idle.length).toBe(rejected['idle-tiles'])
    for (const { activeTiles, reason } of idle) {
      expect(reason.message).toContain(`of 1024 idle`)
      expect(activeTiles).toBeLessThan(1024)
    }
    expect(idle.length).toBeGreaterThan(0)
  })

  test('of what is as fast is the L1 that it takes', () => {
    const { result } = tune({ workload: layer('mha-prefill-d64-s512') })
    expect(result.best.dataflow).toBe('flat-hc')
    expect(result.ranked[0]).toMatchObject({
      dataflow: 'flat-async',
      slowdown: 0,
      reason: { code: 'tie', message: 'as fast, but takes 168.3 KiB more L1' },
    })
  })
})

describe('what the paper chooses', () => {
  test.each([
    ['mha-prefill-d128-s1024', 8],
    ['mha-prefill-d128-s2048', 16],
    ['mha-prefill-d128-s4096', 32],
  ])('for %s is found by the search: square groups, side %d', (id, side) => {
    const { result } = tune({ workload: layer(id), top: 1 })
    expect(result.best).toMatchObject({
      dataflow: 'flat-async',
      mapping: { groupX: side, groupY: side, sliceRows: 128, sliceCols: 128 },
    })
    const tuning = result.dataflows.find(({ dataflow }) => dataflow === 'flat-async')
    expect(tuning).toMatchObject({ gain: 0, rule: { cycles: result.best.cycles } })
  })

  test('is set beside what the search finds for each dataflow', () => {
    const tunings = everything.result.dataflows
    expect(tunings.map(({ dataflow }) => dataflow)).toEqual(dataflowsOf(everything.input.workload))
    for (const { rule, tuned, gain } of tunings) {
      expect(gain).toBeCloseTo((rule?.cycles ?? 0) / (tuned?.cycles ?? 1) - 1, 12)
      expect(gain).toBeGreaterThanOrEqual(0)
    }
  })
})

describe('what is asked for', () => {
  test('is left alone', () => {
    const { result } = tune({ mapping: { groupX: 4, sliceRows: 64 }, dataflows: ['flat-hc'] })
    const tried = [result.best, ...result.ranked].map(({ mapping }) => mapping)
    expect(new Set(tried.map(({ groupX }) => groupX))).toEqual(new Set([4]))
    expect(new Set(tried.map(({ sliceRows }) => sliceRows))).toEqual(new Set([64]))
    expect(new Set(tried.map(({ groupY }) => groupY)).size).toBe(6)
  })

  test('is refused where the chip has no such group, also where others could run', () => {
    expect(() => tune({ mapping: { groupX: 64 } })).toThrow(
      new InfeasibleError('mapping.groupX: must be at most 32 (chip.tiles.x), got 64'),
    )
  })

  test('is refused with the reason where nothing fits', () => {
    const small = makeChipConfig({ l1: { capacityKiB: 1, bytesPerCycle: 512 } })
    const wide = makeWorkload({ headDim: 4096 })
    expect(() => tune({ chip: small, workload: wide })).toThrow(InfeasibleError)
    expect(() => tune({ chip: small, workload: wide })).toThrow(
      /fa2: needs 32.01 KiB of L1, a tile has 1 KiB\nfa3: needs 64/,
    )
  })
})
