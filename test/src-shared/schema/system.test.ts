import { describe, expect, test } from 'vitest'
import { systemPresets, withChipWrittenOut } from '#shared/presets/system-presets.ts'
import { resolveSystem, systemFileSchema, systemSchema } from '#shared/schema/system.ts'
import { presetSystem } from '#shared/validation/published-wafer.ts'
import { issueLines } from '#shared/schema/issue-text.ts'

const system = presetSystem('wafer-1tb')

function problems(changes: object): string[] {
  const received = { ...system, ...changes }
  const parsed = systemSchema.safeParse(received)
  return parsed.success
    ? []
    : issueLines(parsed.error, received, { root: 'system', schema: systemSchema })
}

test('the presets are 8 x 8 chips of the FP8 chip and differ in name, bandwidth and flit only', () => {
  expect(systemPresets.map(({ id }) => id)).toEqual(['wafer-1tb', 'wafer-160gb'])
  const slow = presetSystem('wafer-160gb')
  expect({
    ...slow,
    name: system.name,
    d2d: { ...slow.d2d, linkGBps: 1024, flitBytes: 1024 },
  }).toEqual(system)
  expect([slow.d2d.linkGBps, slow.d2d.flitBytes]).toEqual([160, 160])
  expect(system.chip.clockGHz).toBe(1.93)
  expect(system.chips).toEqual({ x: 8, y: 8 })
})

test('becomes SI quantities, and cycles of the links', () => {
  const { d2d, columns } = resolveSystem({
    ...system,
    d2d: { ...system.d2d, clockGHz: 2, linkLatencyNs: 250.5 },
  })
  expect(columns).toBe(8)
  expect(d2d).toMatchObject({ bandwidth: 1.024e12, clock: 2e9, latency: 501, portLatency: 100 })
})

describe('a system that is refused', () => {
  test.each([
    [{ d2d: { ...system.d2d, linkGBps: 0 } }, 'system.d2d.linkGBps: must be at least 0.1, got 0'],
    [{ chips: { x: 0, y: 8 } }, 'system.chips.x: must be at least 1, got 0'],
    [
      { d2d: { ...system.d2d, topology: 'ring' } },
      'system.d2d.topology: must be one of mesh, torus, flattened-butterfly, switch, got "ring"',
    ],
    [
      { d2d: { ...system.d2d, fifoFlits: 8, creditBatch: 10 } },
      'system.d2d.creditBatch: must be at most 8, the d2d.fifoFlits, got 10: no credit would ever come back',
    ],
    [{ schemaVersion: 2 }, 'system.schemaVersion: must be 1, got 2'],
  ])('%j', (changes, line) => {
    expect(problems(changes)).toEqual([line])
  })

  test('an unknown field is answered with the known ones', () => {
    expect(problems({ d2d: { ...system.d2d, linkGbps: 1 } })[0]).toMatch(
      /^system\.d2d: unknown key "linkGbps"; known are topology, linkGBps,/,
    )
  })
})

describe('the chip in a file', () => {
  test('may be the id of a preset', () => {
    const file = { ...system, chip: 'flat-2026-fp8' }
    expect(systemFileSchema.safeParse(file).success).toBe(true)
    expect(systemSchema.safeParse(file).success).toBe(false)
    expect(withChipWrittenOut(file)).toEqual(system)
  })

  test('is left alone where it is no preset', () => {
    for (const file of [{ chip: 'h100' }, { chip: 3 }, {}, null, 'system']) {
      expect(withChipWrittenOut(file)).toBe(file)
    }
  })
})
