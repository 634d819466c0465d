import { mount } from '@vue/test-utils'
import { expect, test } from 'vitest'
import ConfigurationDifferences from '#renderer/results/ConfigurationDifferences.vue'
import { makeExperiment } from '#test/src-renderer/support/make-experiment.ts'

const first = makeExperiment({ id: 1 })
const { spec } = first
const second = makeExperiment({
  id: 2,
  spec: {
    ...spec,
    chip: { ...spec.chip, l1: { ...spec.chip.l1, capacityKiB: 512 } },
    mapping: { groupX: 8 },
  },
})

test('fields that differ are shown with their sections and units, equal ones are not', () => {
  const wrapper = mount(ConfigurationDifferences, { props: { experiments: [first, second] } })
  const rows = wrapper
    .findAll('tbody tr')
    .map(row => row.findAll('th, td').map(cell => cell.text()))
  expect(rows).toEqual([
    ['Chip, L1, Capacity', '384 KiB', '512 KiB'],
    ['Mapping, Group columns', 'automatic', '8 tiles'],
  ])
})

test('equal configurations say so', () => {
  const wrapper = mount(ConfigurationDifferences, { props: { experiments: [first] } })
  expect(wrapper.find('[data-testid=no-differences]').exists()).toBe(true)
})
