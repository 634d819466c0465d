import { mount } from '@vue/test-utils'
import { describe, expect, test } from 'vitest'
import QuantityInput from '#renderer/forms/QuantityInput.vue'
import type { NumberField } from '#shared/schema/form-fields.ts'

const field: NumberField = {
  kind: 'number',
  path: ['l1', 'capacityKiB'],
  label: 'Capacity',
  unit: 'KiB',
  help: '',
  optional: false,
  min: 1,
  max: 1_048_576,
  integer: false,
  multipleOf: undefined,
}

function mountInput(props: Record<string, unknown> = {}) {
  const wrapper = mount(QuantityInput, {
    props: {
      field,
      modelValue: 384,
      'onUpdate:modelValue': (modelValue: number | undefined) => wrapper.setProps({ modelValue }),
      ...props,
    },
  })
  const input = wrapper.find('input')
  const type = async (text: string) => {
    await input.setValue(text)
    return wrapper.emitted('update:modelValue')?.at(-1)?.[0]
  }
  const problem = () => wrapper.find('[data-testid=field-problem]')
  return { wrapper, input, type, problem }
}

test('value and unit are shown', () => {
  const { wrapper, input, problem } = mountInput()
  expect(input.element.value).toBe('384')
  expect(wrapper.find('[data-testid=unit]').text()).toBe('KiB')
  expect(problem().exists()).toBe(false)
})

test('a pure number has no unit', () => {
  const { wrapper } = mountInput({ field: { ...field, unit: '1' } })
  expect(wrapper.find('[data-testid=unit]').exists()).toBe(false)
})

describe('typing', () => {
  test('reports the value and keeps the text', async () => {
    const { type, input } = mountInput()
    expect(await type('1e3')).toBe(1000)
    expect(input.element.value).toBe('1e3')
    expect(await type('0512.50')).toBe(512.5)
    expect(input.element.value).toBe('0512.50')
  })

  test('a text that is no number is named, with what is allowed', async () => {
    const { type, problem, input } = mountInput()
    expect(await type('96 GB')).toBeNaN()
    expect(problem().text()).toBe(
      '“96 GB” is not a number: must be a number from 1 to 1,048,576 KiB',
    )
    expect(input.attributes('aria-invalid')).toBe('true')
    expect(input.attributes('aria-describedby')).toBe(problem().attributes('id'))
  })

  test.each([
    ['0', 'must be a number from 1 to 1,048,576 KiB, got 0'],
    ['-5', 'must be a number from 1 to 1,048,576 KiB, got -5'],
    ['1e308', 'must be a number from 1 to 1,048,576 KiB, got 1e+308'],
    ['1e999', '“1e999” is too large: must be a number from 1 to 1,048,576 KiB'],
    ['', 'is empty: must be a number from 1 to 1,048,576 KiB'],
  ])('%j is refused', async (text, message) => {
    const { type, problem } = mountInput()
    await type(text)
    expect(problem().text()).toBe(message)
  })

  test('an optional field may be empty', async () => {
    const { type, problem, input } = mountInput({
      field: { ...field, optional: true },
      placeholder: 'auto',
    })
    expect(await type('')).toBeUndefined()
    expect(problem().exists()).toBe(false)
    expect(input.attributes('placeholder')).toBe('auto')
  })

  test('whole numbers and multiples are checked', async () => {
    const { type, problem } = mountInput({ field: { ...field, integer: true, multipleOf: 8 } })
    await type('12')
    expect(problem().text()).toBe(
      'must be a whole number from 1 to 1,048,576 KiB, a multiple of 8, got 12',
    )
  })
})

test('another value from outside replaces the text', async () => {
  const { wrapper, input, type } = mountInput()
  await type('abc')
  await wrapper.setProps({ modelValue: 256 })
  expect(input.element.value).toBe('256')
})

test('a problem of the whole configuration is shown', () => {
  const { problem } = mountInput({ problem: 'must divide heads' })
  expect(problem().text()).toBe('must divide heads')
})
