import { beforeAll, describe, expect, test, vi } from 'vitest'
import { dataflows } from '#shared/mapping/dataflow.ts'
import { headJobs } from '#shared/workload/attention.ts'
import { resolveWorkload } from '#shared/schema/workload.ts'
import {
  agreementGrid,
  agrees,
  compareEngines,
  explainDisagreement,
  stratifiedGrid,
  type ComparedKernel,
} from '#test/support/compare-engines.ts'

// Machines that build and test at the same time are slow.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 })

/** Kernels of each dataflow, and of each with MLA; all 500 are a benchmark: npm run bench:agreement. */
const OF_EACH = 16

let kernels: readonly ComparedKernel[] = []

beforeAll(() => {
  kernels = stratifiedGrid(OF_EACH).map(compareEngines)
})

const share = (some: readonly ComparedKernel[]) => some.filter(agrees).length / some.length

const sizes = (some: readonly ComparedKernel[]) =>
  some.map(({ difference }) => Math.abs(difference)).toSorted((a, b) => a - b)

const isAlone = ({ input, phase }: ComparedKernel) =>
  Math.min(phase.mapping.groups, headJobs(resolveWorkload(input.workload))) === 1

const isFlat = ({ input }: ComparedKernel) => input.dataflow.startsWith('flat')

const hasKeys = ({ input }: ComparedKernel) => input.workload.kvLength > 0

describe('the grid of 500 mappings', () => {
  const grid = agreementGrid()

  test('is the same each time', () => {
    expect(grid).toHaveLength(500)
    expect(agreementGrid()).toEqual(grid)
  })

  test('has every dataflow, variant, phase and mask', () => {
    const values = (of: (input: (typeof grid)[number]) => string) => new Set(grid.map(of))
    expect(values(({ dataflow }) => dataflow)).toEqual(new Set(dataflows))
    expect(
      values(({ workload: { variant, phase, causal } }) =>
        [variant, phase, String(causal)].join(' '),
      ),
    ).toEqual(
      new Set(
        ['mha', 'mqa', 'gqa', 'mla'].flatMap(variant =>
          ['prefill', 'decode'].flatMap(phase =>
            ['true', 'false'].map(causal => `${variant} ${phase} ${causal}`),
          ),
        ),
      ),
    )
  })
})

/**
 * What the engines make of the same kernel. They share the times of all operations; how loads and
 * groups get in each other's way is what they differ in.
 */
describe('some of each dataflow in both engines', () => {
  test('agree within 8 % on 19 of 20, half of them within 1.5 %', () => {
    expect(kernels.length).toBeGreaterThan(100)
    expect(share(kernels)).toBeGreaterThanOrEqual(0.95)
    expect(sizes(kernels)[Math.floor(kernels.length / 2)]).toBeLessThan(0.015)
    expect(sizes(kernels).at(-1)).toBeLessThan(0.3)
  })

  test('agree on nine of ten kernels of every dataflow', () => {
    for (const dataflow of dataflows) {
      const some = kernels.filter(({ input }) => input.dataflow === dataflow)
      expect(some.length).toBeGreaterThanOrEqual(7)
      expect([dataflow, share(some) >= 0.87]).toEqual([dataflow, true])
    }
  })

  // Nothing contends there, and the mechanisms of both are the same.
  test('agree within 8 % on 98 of 100 where a single group works', () => {
    const some = kernels.filter(kernel => isFlat(kernel) && hasKeys(kernel) && isAlone(kernel))
    expect(some.length).toBeGreaterThan(30)
    expect(share(some)).toBeGreaterThanOrEqual(0.98)
  })

  test('that disagree do so by contention: without it, all but few of them agree', () => {
    const disagreements = kernels
      .filter(kernel => hasKeys(kernel) && !agrees(kernel))
      .map(explainDisagreement)
    const unexplained = disagreements.filter(({ cause }) => cause === 'order of the steps')
    expect(disagreements.length).toBeGreaterThan(0)
    expect(unexplained.length).toBeLessThanOrEqual(Math.ceil(disagreements.length / 5))
    for (const { withoutLinks } of disagreements) expect(Math.abs(withoutLinks)).toBeLessThan(0.08)
  })
})
