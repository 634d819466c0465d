import { mount } from '@vue/test-utils'
import { expect, test } from 'vitest'
import ChartFrame from '#renderer/charts/ChartFrame.vue'
import { utilizationOption } from '#renderer/charts/utilization-option.ts'
import { giveElementsASize } from '#test/src-renderer/support/give-elements-a-size.ts'

giveElementsASize()

const option = utilizationOption([
  { label: 'FA-2', matrixUtilization: 0.25, hbmBandwidthUtilization: 0.85 },
])
const mounted = (isStill: boolean) =>
  mount(ChartFrame, {
    props: { option, title: 'Utilisation', note: 'Of peaks.', height: 200, isStill },
  })

test('a chart turns into its table and back', async () => {
  const wrapper = mounted(false)
  expect(wrapper.find('figure').attributes('aria-label')).toBe('Utilisation')
  expect(wrapper.text()).toContain('Of peaks.')
  const toggle = wrapper.find('[data-testid="chart-as-table"]')
  await toggle.trigger('click')
  expect(wrapper.find('figure').exists()).toBe(false)
  expect(wrapper.find('[data-testid="chart-table"] tbody').text()).toBe('FA-20.250.85')
  expect(wrapper.find('[data-testid="chart-copy"]').attributes('disabled')).toBeDefined()
  await toggle.trigger('click')
  expect(wrapper.find('figure').exists()).toBe(true)
})

test('a chart for print has no buttons', () => {
  expect(mounted(true).findAll('button')).toHaveLength(0)
})
