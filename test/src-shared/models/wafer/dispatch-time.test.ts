import { describe, expect, test } from 'vitest'
import { chipGroups, type ChipGroup } from '#shared/models/wafer/chip-groups.ts'
import { dispatchTime } from '#shared/models/wafer/dispatch-time.ts'
import { evaluateFormula } from '#test/support/evaluate-formula.ts'
import { explainDispatch } from '#shared/models/wafer/explain-dispatch.ts'
import { expectedChipsPerToken } from '#shared/models/wafer/token-routing.ts'
import { resolveSystem } from '#shared/schema/system.ts'
import { presetSystem } from '#shared/validation/published-wafer.ts'
import { makeDispatchRequest, makeWafer } from '#test/support/make-wafer.ts'

const wafer = makeWafer({ x: 8, y: 8 })
const uniform = { pattern: 'uniform', seed: 3 } as const

function groupOf(size: number): ChipGroup {
  const group = chipGroups(size, { columns: 8, rows: 8 })?.[0]
  if (group === undefined) throw new Error(`no group of ${String(size)}`)
  return group
}

describe('the operating points of the paper', () => {
  test.each([
    ['wafer-1tb', 1024, 512, 62.1e-6],
    // The simulator rounds 6.4 ns for each flit up to 7 ns: 16 · 7 · 256 · 7 ns and the round trip.
    ['wafer-160gb', 1024, 256, 205.6e-6],
    // In flits of one cycle the links have their 160 GB/s: 16 · 45 · 256 · 1 ns and the round trip.
    ['wafer-160gb', 160, 256, 189.2e-6],
  ])(
    'EP32 on %s in flits of %d B, %d tokens per chip',
    (id, flitBytes, tokensPerChip, published) => {
      const preset = presetSystem(id)
      const system = resolveSystem({ ...preset, d2d: { ...preset.d2d, flitBytes } })
      const request = makeDispatchRequest(system, { group: groupOf(32), tokensPerChip })
      const { dispatchSeconds, combineSeconds } = dispatchTime(system, request)
      expect(dispatchSeconds / published).toBeCloseTo(1, 2)
      expect(combineSeconds).toBe(dispatchSeconds)
    },
  )
})

test('one chip keeps its tokens', () => {
  const result = dispatchTime(wafer, makeDispatchRequest(wafer, { group: groupOf(1) }))
  expect(result).toMatchObject({
    dispatchSeconds: 0,
    combineSeconds: 0,
    links: [],
    maxLinkBytes: 0,
    expertRows: [128],
    dispatch: { messages: 0, bottleneck: null },
  })
})

test('over 64 chips 63 of 64 choices leave the chip', () => {
  const request = makeDispatchRequest(wafer, { routing: uniform, tokensPerChip: 64 })
  const { messages } = dispatchTime(wafer, request).dispatch
  expect(messages / (64 * 64 * 8)).toBeCloseTo(63 / 64, 2)
})

test('once for each chip, a token visits 7.676 chips on average, one in 64 its own', () => {
  const request = makeDispatchRequest(wafer, {
    routing: uniform,
    tokensPerChip: 64,
    onceForEachChip: true,
    engine: 'closed-form',
  })
  const { messages } = dispatchTime(wafer, request).dispatch
  const visits = expectedChipsPerToken({ experts: 256, topK: 8 }, 64)
  expect(messages / (64 * 64) / ((visits * 63) / 64)).toBeCloseTo(1, 2)
})

test('BF16 results are twice the bytes of FP8 tokens, and take the opposite way', () => {
  const result = dispatchTime(
    wafer,
    makeDispatchRequest(wafer, { routing: uniform, combineFormat: 'bf16' }),
  )
  const load = (from: number, to: number) =>
    result.links.find(link => link.from === from && link.to === to)
  const sum = (key: 'dispatchBytes' | 'combineBytes') =>
    result.links.reduce((total, link) => total + link[key], 0)
  expect(sum('combineBytes')).toBe(2 * sum('dispatchBytes'))
  // From 0 to its lower neighbour go the tokens that its column has for it in turn.
  expect(load(0, 8)?.combineBytes).not.toBe(load(0, 8)?.dispatchBytes)
  expect(result.combineSeconds).toBeGreaterThan(result.dispatchSeconds)
})

test('the same group elsewhere on the wafer takes the same time', () => {
  const groups = chipGroups(16, wafer) ?? []
  const times = groups.map(
    group => dispatchTime(wafer, makeDispatchRequest(wafer, { group })).dispatchSeconds,
  )
  expect(new Set(times).size).toBe(1)
})

test('every choice of a token is computed once', () => {
  for (const pattern of ['balanced', 'uniform', 'zipf'] as const) {
    const request = makeDispatchRequest(wafer, {
      routing: { pattern, seed: 5, exponent: 1 },
      engine: 'closed-form',
    })
    const { expertRows } = dispatchTime(wafer, request)
    expect(expertRows.reduce((sum, rows) => sum + rows, 0)).toBe(64 * 16 * 8)
  }
})

test('what is explained follows from the values beside it', () => {
  for (const engine of ['event', 'closed-form'] as const) {
    const request = makeDispatchRequest(wafer, { engine, combineFormat: 'fp8-scaled' })
    const result = dispatchTime(wafer, request)
    const explanations = explainDispatch(request, result, wafer)
    expect(explanations.map(({ field }) => field)).toContain('combine.flitsPerMessage')
    const stated = explanations.filter(({ formula }) => !/^(the|simulated) /.test(formula))
    expect(stated.length).toBeGreaterThanOrEqual(6)
    for (const explanation of stated) {
      const [statement] = evaluateFormula(explanation)
      expect(statement?.value).toBeCloseTo(explanation.value, 12)
    }
  }
})
