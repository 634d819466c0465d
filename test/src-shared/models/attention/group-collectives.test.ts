import { describe, expect, test } from 'vitest'
import type { Dataflow } from '#shared/mapping/dataflow.ts'
import { groupCollectives } from '#shared/models/attention/group-collectives.ts'
import { barrier } from '#shared/models/collectives/barrier.ts'
import {
  hardwareMulticast,
  hardwareReduction,
} from '#shared/models/collectives/hardware-collectives.ts'
import { bytes } from '#shared/units/quantity.ts'
import { makeChip } from '#test/support/make-chip.ts'

const chip = makeChip()
const size = bytes(32 * 1024)
const of = (dataflow: Dataflow, groupX: number, groupY: number) =>
  groupCollectives(dataflow, { groupX, groupY }, bytes(2), chip)

describe('collectives of a group', () => {
  test.each(['flat-hc', 'flat-async'] as const)('are those of the hardware for %s', dataflow => {
    const group = of(dataflow, 8, 4)
    expect(group.rowMulticast(size)).toBe(hardwareMulticast(size, 8, chip))
    expect(group.columnMulticast(size)).toBe(hardwareMulticast(size, 4, chip))
    expect(group.rowReduction(size)).toBe(hardwareReduction(size, 8, chip))
  })

  test('are slowest one by one, faster in a tree, fastest in hardware', () => {
    const times = (['flat-sc', 'flat-tc', 'flat-hc'] as const).map(dataflow => {
      const group = of(dataflow, 32, 32)
      return [group.rowMulticast(size), group.columnMulticast(size), group.rowReduction(size)]
    })
    const [sequential = [], tree = [], hardware = []] = times
    sequential.forEach((time, index) => {
      expect(time).toBeGreaterThan(Number(tree[index]))
    })
    tree.forEach((time, index) => {
      expect(time).toBeGreaterThan(Number(hardware[index]))
    })
  })

  test.each(['flat-sc', 'flat-tc', 'flat-hc'] as const)(
    'take no time in %s along a side of one tile',
    dataflow => {
      expect(of(dataflow, 1, 8).rowMulticast(size)).toBe(0)
      expect(of(dataflow, 1, 8).rowReduction(size)).toBe(0)
      expect(of(dataflow, 8, 1).columnMulticast(size)).toBe(0)
    },
  )

  test('meet at the barrier of the group, and not at all in a group of one', () => {
    expect(of('flat-hc', 8, 4).barrier).toBe(barrier(8, 4, chip))
    expect(of('flat-hc', 1, 1).barrier).toBe(0)
  })
})
