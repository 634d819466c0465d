import { describe, expect, test } from 'vitest'
import { chipSchema, resolveChip, type ChipConfig } from '#shared/schema/chip.ts'
import { makeChipConfig, makeHbm } from '#test/support/make-chip.ts'

const config = makeChipConfig()

/** Paths of what the schema objects to. */
function objections(candidate: unknown): string[] {
  const parsed = chipSchema.safeParse(candidate)
  return parsed.success ? [] : parsed.error.issues.map(({ path }) => path.join('.'))
}

describe('a chip file', () => {
  test('is accepted as it comes with the app', () => {
    expect(objections(config)).toEqual([])
  })

  test.each([
    ['tiles.x', { ...config, tiles: { x: 0, y: 32 } }],
    ['tiles.x', { ...config, tiles: { x: 65_536, y: 32 } }],
    ['tiles.y', { ...config, tiles: { x: 32, y: 2.5 } }],
    ['tiles.y', { ...config, tiles: { x: 32, y: -1 } }],
    ['clockGHz', { ...config, clockGHz: Number.NaN }],
    ['clockGHz', { ...config, clockGHz: 1e308 }],
    ['clockGHz', { ...config, clockGHz: '1' }],
    ['clockGHz', { ...config, clockGHz: 0 }],
    ['noc.linkBits', { ...config, noc: { linkBits: 100, hopCycles: 1 } }],
    ['schemaVersion', { ...config, schemaVersion: 2 }],
    ['name', { ...config, name: '  ' }],
  ])('is refused where %s is out of range or of another type', (path, candidate) => {
    expect(objections(candidate)).toContain(path)
  })

  test('is refused with a key that nobody knows', () => {
    const parsed = chipSchema.safeParse({ ...config, clockMHz: 965 })
    expect(parsed.error?.issues).toMatchObject([{ code: 'unrecognized_keys', keys: ['clockMHz'] }])
  })

  test('is refused without a field', () => {
    const { clockGHz, ...rest } = config
    expect(clockGHz).toBe(0.965)
    expect(objections(rest)).toEqual(['clockGHz'])
  })

  test('sums after the products where it was written down before there was a choice', () => {
    const { sumBeforeProducts, ...older } = config.referenceArtefacts
    expect(sumBeforeProducts).toBe(true)
    const { referenceArtefacts } = chipSchema.parse({ ...config, referenceArtefacts: older })
    expect(referenceArtefacts).toEqual({ ...older, sumBeforeProducts: false })
  })

  test('is refused without any HBM channel', () => {
    const parsed = chipSchema.safeParse({ ...config, hbm: makeHbm({}) })
    expect(parsed.error?.issues).toMatchObject([
      {
        path: ['hbm', 'channels'],
        message: 'there must be at least one HBM channel on some edge, got 0 on all four',
      },
    ])
  })
})

describe('a resolved chip', () => {
  const odd: ChipConfig = {
    ...config,
    clockGHz: 2,
    l1: { capacityKiB: 384, bytesPerCycle: 512 },
    noc: { linkBits: 1024, hopCycles: 1.5 },
    vectorEngine: { count: 4, fpus: 4, ports: 8, expRate: 0.5 },
    hbm: makeHbm({ south: 3 }, { channelGBps: 64, latencyNs: 150, capacityGiB: 2 }),
  }
  const chip = resolveChip(odd)

  test('has its clock in Hz', () => {
    expect(chip.clock).toBe(2e9)
  })

  test('has its L1 in bytes', () => {
    expect(chip.l1).toEqual({ capacity: 393_216, bandwidth: 512 })
  })

  test('has flits in bytes', () => {
    expect(chip.noc).toEqual({ flit: 128, hop: 1.5 })
  })

  test('has 4 bytes per load/store port', () => {
    expect(chip.vectorEngine).toEqual({ count: 4, fpus: 4, loadStore: 32, expRate: 0.5 })
  })

  test('has decimal rates, binary capacities, and the latency in cycles', () => {
    expect(chip.hbm).toMatchObject({ channelRate: 64e9, capacity: 2 * 2 ** 30 })
    expect(chip.hbm.latency).toBeCloseTo(300, 9)
  })
})
