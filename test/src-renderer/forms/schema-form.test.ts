import { mount } from '@vue/test-utils'
import { expect, test } from 'vitest'
import SchemaForm from '#renderer/forms/SchemaForm.vue'
import { chipSchema } from '#shared/schema/chip.ts'
import { formFields, valueFields, withValueAt } from '#shared/schema/form-fields.ts'
import { workloadSchema } from '#shared/schema/workload.ts'
import { makeInput } from '#test/src-renderer/support/make-document.ts'

const { chip, workload } = makeInput()

function mountForm(props: Record<string, unknown> = {}) {
  return mount(SchemaForm, {
    props: { fields: formFields(chipSchema), config: chip, base: chip, problems: [], ...props },
  })
}

test('every field of the schema is drawn with its label and value', () => {
  const wrapper = mountForm()
  for (const field of valueFields(formFields(chipSchema))) {
    const drawn = wrapper.find(`[data-testid="field-${field.path.join('.')}"]`)
    expect(drawn.find('label').text()).toBe(field.label)
    expect(drawn.find('input, select').exists()).toBe(true)
  }
})

test('an edit is reported with its path', async () => {
  const wrapper = mountForm()
  await wrapper.find('[data-testid="field-l1.capacityKiB"] input').setValue('512')
  expect(wrapper.emitted('change')).toEqual([[['l1', 'capacityKiB'], 512]])
})

test('choices and switches are reported', async () => {
  const wrapper = mountForm({
    fields: formFields(workloadSchema),
    config: workload,
    base: workload,
  })
  await wrapper.find('[data-testid="field-variant"] select').setValue('gqa')
  await wrapper.find('[data-testid="field-causal"] input').setValue(true)
  expect(wrapper.emitted('change')).toEqual([
    [['variant'], 'gqa'],
    [['causal'], true],
  ])
})

test('a changed field is marked, counted and can be reset', async () => {
  const wrapper = mountForm({ config: withValueAt(chip, ['l1', 'capacityKiB'], 512) })
  const field = wrapper.find('[data-testid="field-l1.capacityKiB"]')
  expect(field.attributes('data-changed')).toBe('true')
  expect(wrapper.find('[data-testid="section-l1"] summary').text()).toContain('1 changed')
  await field.find('button').trigger('click')
  expect(wrapper.emitted('reset')).toEqual([[['l1', 'capacityKiB']]])
  expect(field.find('button').attributes('aria-label')).toBe('Reset Capacity to 384')
})

test('a section that starts closed opens when it has a problem', () => {
  const closed = mountForm({ closed: ['control'] })
  expect(closed.find('[data-testid="section-control"]').attributes('open')).toBeUndefined()
  const broken = mountForm({
    closed: ['control'],
    problems: [{ path: ['control', 'tileSyncCycles'], message: 'must be positive' }],
  })
  expect(broken.find('[data-testid="section-control"]').attributes('open')).toBeDefined()
})

test('a problem of a section is shown in it', () => {
  const wrapper = mountForm({
    problems: [{ path: ['hbm', 'channels'], message: 'there must be at least one HBM channel' }],
  })
  expect(wrapper.find('[data-testid="section-hbm.channels"]').text()).toContain(
    'there must be at least one HBM channel',
  )
})
