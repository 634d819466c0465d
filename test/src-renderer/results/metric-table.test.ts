import { mount } from '@vue/test-utils'
import { describe, expect, test } from 'vitest'
import MetricTable from '#renderer/results/MetricTable.vue'
import { finishedRuns, type RunView } from '#renderer/results/run-view.ts'
import { makeDocument, makeInput } from '#test/src-renderer/support/make-document.ts'
import { makeExperiment, makeRun } from '#test/src-renderer/support/make-experiment.ts'

const twoRuns = finishedRuns([
  makeExperiment({
    runs: [
      makeRun({ dataflow: 'fa3', document: makeDocument({ seconds: 0.004, bound: 'memory' }) }),
      makeRun({ dataflow: 'flat-async', document: makeDocument({ seconds: 0.001 }) }),
    ],
  }),
])

function mountTable(props: Record<string, unknown> = {}, runs: readonly RunView[] = twoRuns) {
  const wrapper = mount(MetricTable, { props: { runs, baseline: runs[0], ...props } })
  const cells = (id: string) => wrapper.findAll(`[data-testid="metric-${id}"] td`)
  return { wrapper, cells }
}

test('each run is a column, the speed-up is over the baseline', () => {
  const { wrapper, cells } = mountTable()
  expect(wrapper.findAll('thead .metric-table-run').map(head => head.text())).toEqual([
    'FlashAttention-3',
    'FlatAsync',
  ])
  expect(cells('runtime').map(cell => cell.find('span').text())).toEqual(['4 ms', '1 ms'])
  expect(cells('speed-up').map(cell => cell.find('span').text())).toEqual(['1×', '4×'])
  expect(cells('bound').map(cell => cell.text())).toEqual(['memory', 'compute'])
})

test('the best of a row is marked in words too, unless all are equal', () => {
  const { cells } = mountTable()
  expect(cells('runtime').map(cell => cell.attributes('data-best'))).toEqual(['false', 'true'])
  expect(cells('runtime')[1]?.text()).toContain('(best)')
  expect(cells('hbm.traffic').map(cell => cell.attributes('data-best'))).toEqual(['false', 'false'])
})

describe('explanations', () => {
  test('a number with one is a button that opens it', async () => {
    const { wrapper, cells } = mountTable({ isInteractive: true })
    await cells('runtime')[1]?.find('button').trigger('click')
    expect(wrapper.emitted('explain')?.[0]).toMatchObject([
      { field: 'seconds', formula: 'cycles / f', value: 0.001 },
      { key: '1:flat-async' },
    ])
  })

  test('a number without one is plain text', () => {
    const { cells } = mountTable({ isInteractive: true })
    expect(cells('noc.traffic')[0]?.find('button').exists()).toBe(false)
  })
})

test('another baseline can be chosen', async () => {
  const { wrapper } = mountTable({ isInteractive: true })
  await wrapper.find('[data-testid="baseline-1:flat-async"]').trigger('click')
  expect(wrapper.emitted('choose-baseline')?.[0]).toMatchObject([{ key: '1:flat-async' }])
})

test('differences carry arrow, percentage and word', () => {
  const { cells } = mountTable({ hasDeltas: true })
  expect(cells('runtime')[0]?.find('[data-testid=delta]').exists()).toBe(false)
  expect(cells('runtime')[1]?.find('[data-testid=delta]').text()).toBe('▼ -75.0 % better')
  expect(cells('hbm.traffic')[1]?.find('[data-testid=delta]').text()).toBe('= equal')
})

test('a table of differences leaves equal rows out', () => {
  const { cells } = mountTable({ hasDeltas: true, isDifferencesOnly: true })
  expect(cells('runtime')).toHaveLength(2)
  expect(cells('hbm.traffic')).toHaveLength(0)
})

test('a single run has no baseline, no speed-up and no best', () => {
  const { wrapper, cells } = mountTable({ isInteractive: true }, twoRuns.slice(0, 1))
  expect(cells('speed-up')).toHaveLength(0)
  expect(wrapper.find('[data-best=true]').exists()).toBe(false)
  expect(wrapper.text()).not.toContain('baseline')
})

test('a result that takes no time shows n/a, never NaN or Infinity', () => {
  const runs = finishedRuns([
    makeExperiment({
      runs: [
        makeRun({ dataflow: 'fa2', document: makeDocument({ seconds: 0, usefulFlops: 0 }) }),
        makeRun({ dataflow: 'fa3', document: makeDocument({ arithmeticIntensity: Number.NaN }) }),
      ],
    }),
  ])
  const text = mountTable({ hasDeltas: true }, runs).wrapper.text()
  expect(text).not.toMatch(/NaN|Infinity|undefined/)
  expect(text).toContain('n/a')
})

describe('the throughput over a GH200', () => {
  const withLength = (length: number) => {
    const { workload } = makeInput()
    const document = makeDocument(
      { usefulFlops: 1e12, seconds: 0.001 },
      { workload: { ...workload, queryLength: length, kvLength: length } },
    )
    return finishedRuns([makeExperiment({ runs: [makeRun({ document })] })])
  }
  const table = (...lengths: number[]) => mountTable({}, lengths.flatMap(withLength))
  const texts = (...lengths: number[]) =>
    table(...lengths)
      .cells('gh200')
      .map(cell => cell.text())

  test('is marked as measured where the shape was measured', () => {
    expect(table(4096).wrapper.text()).toContain('Throughput over GH200, measured')
    expect(texts(4096)).toEqual(['1.57×'])
  })

  test('is marked as interpolated between measured lengths', () => {
    expect(table(3072).wrapper.text()).toContain('Throughput over GH200, interpolated')
    expect(texts(3072)[0]).toMatch(/^1\.5\d+×$/)
  })

  test('is marked one by one where both stand side by side', () => {
    const [measured, interpolated] = texts(4096, 3072)
    expect(measured).toContain('1.57× (measured)')
    expect(interpolated).toMatch(/^1\.5\d+× \(interpolated\)/)
  })

  test('has no row outside the measured lengths', () => {
    expect(texts(32_768)).toEqual([])
  })
})
