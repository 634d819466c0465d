import { describe, expect, test } from 'vitest'
import { chartData } from '#renderer/charts/chart-option.ts'
import { kernelTimeOption } from '#renderer/charts/kernel-time-option.ts'
import { memoryOption } from '#renderer/charts/memory-option.ts'
import { layerSteps } from '#renderer/results/decode/layer-steps.ts'
import { drawnLinks, loadColor, loadColors } from '#renderer/results/decode/mesh-drawing.ts'
import { estimateDecode } from '#shared/simulate/run-decode.ts'
import { makeDecodeInput } from '#test/support/make-decode-input.ts'

const { result } = estimateDecode(makeDecodeInput())
const total = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0)

describe('a layer', () => {
  const steps = layerSteps(result, 0)

  test('adds up to the time of a layer, where nothing overlaps', () => {
    expect(total(steps.map(({ seconds }) => seconds)) / result.layerSeconds).toBeCloseTo(1, 6)
  })

  test('has the exchanges beside the kernels, and its short kernels together', () => {
    const labels = steps.map(({ label }) => label)
    expect(labels).toEqual(expect.arrayContaining(['attention', 'dispatch', 'combine']))
    expect(labels.filter(label => /short kernels?$/.test(label)).length).toBeGreaterThan(0)
    expect(labels).not.toContain('rope-key')
  })

  test('each step is drawn once, in the colour of its kind', () => {
    const series = chartData(kernelTimeOption(steps))
    expect(series.map(({ name }) => name)).toEqual([
      'Bound by compute',
      'Bound by memory',
      'Communication',
    ])
    const drawn = series.flatMap(({ data }) => data as number[])
    expect(drawn.filter(value => value > 0)).toHaveLength(steps.length)
  })
})

test('the parts of a memory bar add up to the capacity', () => {
  const bars = result.memory.perStage.map(row => ({ ...row, label: String(row.stage) }))
  const series = chartData(memoryOption(bars))
  for (const index of bars.keys()) {
    const sum = total(series.map(({ data }) => (data as number[])[index] ?? 0))
    expect(sum).toBeCloseTo(result.memory.capacityBytes, 0)
  }
})

describe('the mesh', () => {
  const link = (from: number | 'switch', to: number | 'switch', dispatchBytes: number) => ({
    ...{ from, to, dispatchBytes, combineBytes: 0 },
  })

  test('draws each direction of a link, apart from the other', () => {
    const [there, back] = drawnLinks([link(0, 1, 100), link(1, 0, 50)], 8)
    expect(there?.load).toBe(1)
    expect(back?.load).toBe(0.5)
    expect(there?.y1).not.toBe(back?.y1)
    expect((there?.x2 ?? 0) - (there?.x1 ?? 0)).toBe((back?.x1 ?? 0) - (back?.x2 ?? 0))
  })

  test('leaves out what is no link of neighbours', () => {
    expect(drawnLinks([link(0, 7, 1), link('switch', 3, 1), link(7, 8, 1)], 8)).toEqual([])
  })

  test('every link of the published deployment is drawn', () => {
    const { links } = result.communication
    expect(links.length).toBeGreaterThan(0)
    expect(drawnLinks(links, 8)).toHaveLength(links.length)
  })

  test.each([true, false])('the busiest link has the last colour (dark: %j)', isDark => {
    expect(loadColor(0, isDark)).toBe(loadColors(isDark)[0])
    expect(loadColor(1, isDark)).toBe(loadColors(isDark).at(-1))
  })
})
