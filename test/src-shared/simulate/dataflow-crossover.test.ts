import { describe, expect, test } from 'vitest'
import type { Dataflow } from '#shared/mapping/dataflow.ts'
import { findCrossover } from '#shared/simulate/dataflow-crossover.ts'
import { finish } from '#shared/simulate/simulation.ts'
import { makeWorkload } from '#test/support/make-workload.ts'

const crossoverOf = (
  fastest: (length: number) => Dataflow | undefined,
  workload = makeWorkload(),
) => finish(findCrossover(workload, ({ kvLength }) => fastest(kvLength)))

describe('crossover', () => {
  test('is found to the token', () => {
    const crossover = crossoverOf(length => (length < 777 ? 'fa3' : 'flat-async'))
    expect(crossover.changes).toEqual([{ length: 777, before: 'fa3', after: 'flat-async' }])
    expect(crossover.length).toBe(777)
  })

  test('of three dataflows between two powers of two is found twice', () => {
    const crossover = crossoverOf(length => {
      if (length <= 600) return 'fa2'
      return length <= 900 ? 'fa3' : 'flat-hc'
    })
    expect(crossover.changes).toEqual([
      { length: 601, before: 'fa2', after: 'fa3' },
      { length: 901, before: 'fa3', after: 'flat-hc' },
    ])
    expect(crossover.length).toBe(901)
  })

  test('is the nearest where Flash and Flat change places more than once', () => {
    const dataflow = (length: number) => (length < 100 || length >= 9000 ? 'fa3' : 'flat-hc')
    expect(crossoverOf(dataflow, makeWorkload({ kvLength: 128 })).length).toBe(100)
    expect(crossoverOf(dataflow, makeWorkload({ kvLength: 8192 })).length).toBe(9000)
  })

  test('is null where only dataflows of one family change places, or none does', () => {
    const within = crossoverOf(length => (length < 100 ? 'flat-hc' : 'flat-async'))
    expect(within).toMatchObject({ changes: [{ length: 100 }], length: null })
    expect(crossoverOf(() => 'fa3')).toMatchObject({ changes: [], length: null })
  })

  test('leaves out lengths that nothing can run', () => {
    expect(crossoverOf(length => (length > 5000 ? undefined : 'fa2')).changes).toEqual([])
  })

  test('comes to an end where ragged lengths change places all the time', () => {
    const noise: readonly Dataflow[] = ['fa2', 'fa3', 'flat-hc', 'flat-sc', 'flat-tc']
    const { changes } = crossoverOf(length => noise[(length * 7919) % 5])
    expect(changes.map(({ length }) => length)).toEqual(
      changes.map(({ length }) => length).toSorted((a, b) => a - b),
    )
  })
})

describe('the length that is varied', () => {
  const seen = (workload: ReturnType<typeof makeWorkload>) => {
    const shapes = new Set<string>()
    const { axis, from, to } = finish(
      findCrossover(workload, ({ queryLength, kvLength }) => {
        shapes.add(queryLength === kvLength ? 'square' : `${String(queryLength)} queries`)
        return 'fa2'
      }),
    )
    return { axis, from, to, shapes: [...shapes] }
  }

  test('is the sequence in a square prefill', () => {
    expect(seen(makeWorkload())).toEqual({
      axis: 'sequenceLength',
      from: 16,
      to: 2 ** 20,
      shapes: ['square'],
    })
  })

  test('is KV in decode and in a prefill with another number of queries', () => {
    const decode = makeWorkload({ phase: 'decode', queryLength: 1 })
    expect(seen(decode)).toMatchObject({ axis: 'kvLength', shapes: ['1 queries'] })
    const chunk = makeWorkload({ queryLength: 100 })
    expect(seen(chunk)).toMatchObject({ axis: 'kvLength', shapes: ['100 queries'] })
  })

  test('is searched as far as the workload itself', () => {
    expect(seen(makeWorkload({ kvLength: 3 }))).toMatchObject({ from: 2 })
    expect(seen(makeWorkload({ kvLength: 0 }))).toMatchObject({ from: 1 })
    expect(seen(makeWorkload({ kvLength: 2 ** 20 + 1 }))).toMatchObject({ to: 2 ** 21 })
  })
})
