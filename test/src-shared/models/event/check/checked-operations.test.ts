import { beforeEach, describe, expect, test } from 'vitest'
import { CheckedBuffer } from '#shared/models/event/check/checked-buffer.ts'
import { CheckedOperations } from '#shared/models/event/check/checked-operations.ts'

let operations: CheckedOperations
let from: CheckedBuffer
let to: CheckedBuffer
beforeEach(() => {
  operations = new CheckedOperations()
  from = new CheckedBuffer('A', 1)
  to = new CheckedBuffer('B', 1)
})

const fill = (buffer: CheckedBuffer, value: number) =>
  operations.begin({
    name: `filling of ${buffer.name}`,
    tile: 0,
    writes: [buffer],
    compute: ([block]) => block?.fill(value),
  })

const copy = () =>
  operations.begin({
    name: 'copy',
    tile: 3,
    reads: [from],
    writes: [to],
    compute: ([block]) => block?.set(from.values),
  })

const twice = () =>
  operations.begin({
    name: 'doubling',
    tile: 4,
    updates: [from],
    compute: ([block]) => block?.forEach((value, index) => (block[index] = 2 * value)),
  })

describe('operations one after the other', () => {
  test('hand their results on', () => {
    fill(from, 5)()
    twice()()
    copy()()
    expect(to.values[0]).toBe(10)
    expect(operations.hazardCount).toBe(0)
  })
})

describe('operations that overlap', () => {
  test('may read the same buffer', () => {
    fill(from, 5)()
    const first = copy()
    const second = operations.begin({
      name: 'reading',
      tile: 0,
      reads: [from],
      compute: () => undefined,
    })
    second()
    first()
    expect(to.values[0]).toBe(5)
    expect(operations.hazardCount).toBe(0)
  })

  test('one that begins before its operand is there has no result', () => {
    const filled = fill(from, 5)
    const copied = copy()
    filled()
    copied()
    expect(to.values[0]).toBeNaN()
    expect(to.isValid).toBe(false)
    expect(operations.hazards[0]).toEqual({ tile: 3, message: 'copy began before A was there' })
  })

  test('one whose operand is overwritten meanwhile has no result', () => {
    fill(from, 5)()
    const copied = copy()
    fill(from, 6)()
    copied()
    expect(to.values[0]).toBeNaN()
    expect(operations.hazards[0]?.message).toBe('A was written by others during copy')
  })

  test('one whose operand is being changed in place when it ends has no result', () => {
    fill(from, 5)()
    const copied = copy()
    const doubled = twice()
    copied()
    doubled()
    expect(to.values[0]).toBeNaN()
    expect(from.values[0]).toBe(10)
  })

  test('of two that write the same buffer neither has a result', () => {
    const one = fill(from, 1)
    const other = fill(from, 2)
    one()
    other()
    expect(from.values[0]).toBeNaN()
    expect(from.isValid).toBe(false)
    expect(operations.hazardCount).toBeGreaterThan(0)
  })
})
