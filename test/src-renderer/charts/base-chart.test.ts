import { mount } from '@vue/test-utils'
import { afterEach, expect, test, vi } from 'vitest'
import BaseChart from '#renderer/charts/BaseChart.vue'
import { utilizationOption } from '#renderer/charts/utilization-option.ts'
import { giveElementsASize } from '#test/src-renderer/support/give-elements-a-size.ts'

giveElementsASize()
afterEach(() => {
  vi.restoreAllMocks()
})

test('the data that is drawn can be read, and the chart has a name', () => {
  const option = utilizationOption([
    { label: 'FA-2', matrixUtilization: 0.25, hbmBandwidthUtilization: 0.85 },
  ])
  const wrapper = mount(BaseChart, { props: { option, label: 'Utilisation', height: 200 } })
  const figure = wrapper.find('figure')
  expect(figure.attributes('aria-label')).toBe('Utilisation')
  expect(JSON.parse(figure.attributes('data-chart') ?? '')).toEqual([
    { name: 'Matrix engines', type: 'bar', data: [0.25] },
    { name: 'HBM bandwidth', type: 'bar', data: [0.85] },
  ])
})

test.each([
  { reduce: false, isStill: false, animation: true },
  { reduce: true, isStill: false, animation: false },
  { reduce: false, isStill: true, animation: false },
])('motion reduced $reduce, for print $isStill: animated $animation', given => {
  const { reduce, isStill, animation } = given
  vi.spyOn(window, 'matchMedia').mockReturnValue({ matches: reduce } as MediaQueryList)
  const option = utilizationOption([
    { label: 'FA-2', matrixUtilization: 0.25, hbmBandwidthUtilization: 0.85 },
  ])
  const wrapper = mount(BaseChart, {
    props: { option, label: 'Utilisation', height: 200, isStill },
  })
  expect(wrapper.findComponent({ name: 'Echarts' }).props('option')).toMatchObject({ animation })
})
