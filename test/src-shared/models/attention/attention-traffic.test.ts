import { describe, expect, test } from 'vitest'
import type { Dataflow } from '#shared/mapping/dataflow.ts'
import type { MappingOverrides } from '#shared/mapping/mapping-overrides.ts'
import { mapAttention } from '#shared/models/attention/attention-mapping.ts'
import { attentionTraffic, memoryDemand } from '#shared/models/attention/attention-traffic.ts'
import { resolveChip, type ChipConfig } from '#shared/schema/chip.ts'
import type { WorkloadConfig } from '#shared/schema/workload.ts'
import { presetChip } from '#shared/validation/published-input.ts'
import { makeChipConfig, makeNewDesign } from '#test/support/make-chip.ts'
import { makeWorkload } from '#test/support/make-workload.ts'

const MIB = 2 ** 20

function moved(
  dataflow: Dataflow,
  mapping: MappingOverrides,
  workload: Partial<WorkloadConfig> = {},
  chipConfig: ChipConfig = makeChipConfig({ l1: { capacityKiB: 4096, bytesPerCycle: 512 } }),
) {
  const chip = resolveChip(chipConfig)
  const outcome = mapAttention(dataflow, makeWorkload(workload), mapping, chip)
  if (outcome.kind === 'problem') throw new Error(outcome.message)
  const traffic = attentionTraffic(dataflow, outcome.shape, chip)
  return { traffic, demand: memoryDemand(dataflow, traffic, outcome.shape, chip), ...outcome }
}

function hbmBytes(...arguments_: Parameters<typeof moved>): number {
  const { queryBytes, keyValueBytes, outputBytes } = moved(...arguments_).traffic
  return queryBytes + keyValueBytes + outputBytes
}

const slices = (rows: number) => ({ sliceRows: rows, sliceCols: 128 })
const group = (rows: number, slice = 128) => ({ ...slices(slice), groupX: 1, groupY: rows })

describe('HBM traffic of one head, S 4096, D 128, FP16', () => {
  test('FlashAttention with 128 rows per tile moves 66.0 MiB', () => {
    expect(hbmBytes('fa2', slices(128))).toBe(66 * MIB)
  })

  test('FlatAttention with 8 tile rows in a group moves 10.0 MiB', () => {
    expect(hbmBytes('flat-hc', group(8))).toBe(10 * MIB)
  })

  test('FlatAttention with 32 tile rows covers all queries and moves 4.0 MiB', () => {
    expect(hbmBytes('flat-async', group(32))).toBe(4 * MIB)
  })

  test('the ratio of Flash to Flat is 16.5', () => {
    expect(hbmBytes('fa3', slices(128)) / hbmBytes('flat-async', group(32))).toBe(16.5)
  })

  test('the ratio is 8.5 with 256 rows per tile', () => {
    expect(hbmBytes('fa3', slices(256)) / hbmBytes('flat-async', group(32, 256))).toBe(8.5)
  })

  test('FlatAttention with a group of one moves what FlashAttention moves', () => {
    expect(hbmBytes('flat-hc', group(1))).toBe(hbmBytes('fa2', slices(128)))
  })

  test('columns of a group make no difference', () => {
    expect(hbmBytes('flat-hc', { ...group(8), groupX: 32 })).toBe(10 * MIB)
  })

  test('FP8 halves it', () => {
    expect(hbmBytes('fa2', slices(128), { dtype: 'fp8' })).toBe(33 * MIB)
  })
})

describe('HBM traffic in other cases', () => {
  test('query heads that share KV read it once', () => {
    const decode = { phase: 'decode', queryLength: 1, variant: 'mqa', heads: 64 } as const
    expect(hbmBytes('flat-hc', {}, decode)).toBe(2 * (2 * 64 * 128 + 2 * 4096 * 128))
  })

  test('a causal mask skips the K and V of the blocks that it empties', () => {
    const chip = makeNewDesign()
    const keys = (32 * 33 * 128) / 2
    expect(moved('fa2', slices(128), { causal: true }, chip).traffic.keyValueBytes).toBe(
      2 * 2 * 128 * keys,
    )
  })

  test('without keys only O is written', () => {
    expect(moved('fa2', slices(128), { kvLength: 0 }).traffic).toMatchObject({
      queryBytes: 0,
      keyValueBytes: 0,
      outputBytes: MIB,
    })
  })

  test('padding of a ragged slice is not read', () => {
    expect(hbmBytes('flat-hc', group(1), { queryLength: 100, kvLength: 130 })).toBe(
      2 * 128 * (2 * 100 + 2 * 130),
    )
  })
})

describe('NoC traffic', () => {
  const nocBytes = (...arguments_: Parameters<typeof moved>) =>
    moved(...arguments_).traffic.nocBytes

  test('of FlashAttention is its HBM traffic over half of the mesh', () => {
    expect(nocBytes('fa2', slices(128))).toBe(66 * MIB * 16.5)
  })

  test('of a hardware multicast crosses each link between the tiles once', () => {
    const state = 4 * 2 * 128 * 3
    const collectives = 2 * 32_768 * 3 + 32 * state
    const links = nocBytes(
      'flat-hc',
      { ...slices(128), groupX: 4, groupY: 1 },
      { queryLength: 128, kvLength: 16_384 },
    )
    const memory = hbmBytes(
      'flat-hc',
      { ...slices(128), groupX: 4, groupY: 1 },
      { queryLength: 128, kvLength: 16_384 },
    )
    expect(links).toBe(memory * 16.5 + collectives)
  })

  test('of unicasts one by one is more than that of a tree, and that more than of hardware', () => {
    const [hardware, tree, sequential] = (['flat-hc', 'flat-tc', 'flat-sc'] as const).map(
      dataflow => nocBytes(dataflow, { groupX: 32, groupY: 32 }),
    )
    expect(tree).toBeGreaterThan(Number(hardware))
    expect(sequential).toBeGreaterThan(Number(tree))
  })
})

describe('channel time', () => {
  test('on one edge is all bytes over the peak', () => {
    const { demand } = moved('fa2', slices(128))
    expect(demand.floor).toBeCloseTo((66 * MIB) / (2048 / 0.965), 6)
  })

  test('on two edges is that of the edge with more to do', () => {
    const { demand } = moved('flat-hc', group(8), {}, presetChip('flat-2025'))
    expect(demand.floor).toBeCloseTo((8 * MIB) / 1024, 6)
    expect(demand.perGroup).toHaveLength(2)
  })

  test('is shared out over the groups that work, at the sustained rate', () => {
    const { demand, shape } = moved('fa2', slices(128))
    const [perGroup] = demand.perGroup
    expect(perGroup).toBeCloseTo(demand.floor / 0.98 / shape.activeGroups, 9)
  })
})

describe('keys and values in decode', () => {
  const decode = (variant: 'mqa' | 'gqa', heads: number, kvHeads: number) => ({
    variant,
    phase: 'decode' as const,
    batch: 4,
    heads,
    kvHeads,
    queryLength: 1,
    kvLength: 4096,
  })

  test.each(['fa3', 'flat-hc', 'flat-async'] as const)(
    '%s reads those of MQA once, not once for each query head',
    dataflow => {
      const bytesOf = (heads: number) =>
        moved(dataflow, {}, decode('mqa', heads, 1)).traffic.keyValueBytes
      expect([1, 8, 32, 128].map(bytesOf)).toEqual(Array(4).fill(4 * 2 * 4096 * 128 * 2))
    },
  )

  test('grow with the KV heads of GQA', () => {
    const bytesOf = (kvHeads: number) =>
      moved('flat-async', {}, decode('gqa', 32, kvHeads)).traffic.keyValueBytes
    expect(bytesOf(8)).toBe(4 * bytesOf(2))
  })
})
