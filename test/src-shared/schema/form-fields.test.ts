import { describe, expect, test } from 'vitest'
import { chipPresets } from '#shared/presets/presets.ts'
import { chipSchema } from '#shared/schema/chip.ts'
import { formFields, valueAt, valueFields, withValueAt } from '#shared/schema/form-fields.ts'
import { mappingSchema } from '#shared/schema/mapping.ts'
import { workloadSchema } from '#shared/schema/workload.ts'
import { z } from '#shared/schema/zod.ts'

describe('fields of the chip schema', () => {
  const fields = formFields(chipSchema)

  test('a number has label, unit, help and range', () => {
    expect(valueFields(fields).find(field => field.path.join('.') === 'l1.capacityKiB')).toEqual({
      kind: 'number',
      path: ['l1', 'capacityKiB'],
      label: 'Capacity',
      unit: 'KiB',
      help: 'For operands, scores and softmax state.',
      optional: false,
      min: 1,
      max: 1_048_576,
      integer: false,
      multipleOf: undefined,
    })
  })

  test('a multiple that is required is known', () => {
    const linkBits = valueFields(fields).find(field => field.path.at(-1) === 'linkBits')
    expect(linkBits).toMatchObject({ integer: true, multipleOf: 8, unit: 'bit' })
  })

  test('sections nest', () => {
    const hbm = fields.find(field => field.path.join('.') === 'hbm')
    expect(hbm?.kind === 'section' && hbm.fields[0]).toMatchObject({
      kind: 'section',
      label: 'Channels',
      path: ['hbm', 'channels'],
    })
  })

  test('every value of a preset has a field, except the schema version', () => {
    const leaves = (value: unknown, path: string[]): string[] =>
      typeof value === 'object' && value !== null
        ? Object.entries(value).flatMap(([key, member]: [string, unknown]) =>
            leaves(member, [...path, key]),
          )
        : [path.join('.')]
    const shown = valueFields(fields).map(field => field.path.join('.'))
    expect(shown.toSorted()).toEqual(
      leaves(chipPresets[0]?.config, [])
        .filter(path => path !== 'schemaVersion')
        .toSorted(),
    )
  })
})

test('a switch that may be left out of a file is a switch of the form all the same', () => {
  const artefacts = formFields(chipSchema).find(({ label }) => label === 'Reference artefacts')
  expect(artefacts).toMatchObject({
    fields: expect.arrayContaining([
      expect.objectContaining({ label: 'Sum before products', kind: 'switch', optional: false }),
    ]) as unknown,
  })
})

test('choices, switches and texts of the workload schema', () => {
  const kinds: Readonly<Record<string, string>> = Object.fromEntries(
    valueFields(formFields(workloadSchema)).map(field => [field.path.join('.'), field.kind]),
  )
  expect(kinds).toMatchObject({
    name: 'text',
    variant: 'choice',
    causal: 'switch',
    batch: 'number',
  })
})

test('optional fields are marked', () => {
  expect(formFields(mappingSchema)[0]).toMatchObject({
    kind: 'number',
    optional: true,
    label: 'Group columns',
    min: 1,
    max: 256,
  })
})

test('a labelled member that no form can draw is refused by name', () => {
  const schema = z.strictObject({ when: z.date().meta({ label: 'When' }) })
  expect(() => formFields(schema)).toThrow('no form control for when of type date')
})

describe('paths', () => {
  const config = { a: { b: 1, c: 2 }, d: 3 }

  test('read', () => {
    expect(valueAt(config, ['a', 'b'])).toBe(1)
    expect(valueAt(config, ['a', 'x', 'y'])).toBeUndefined()
    expect(valueAt(config, ['toString'])).toBeUndefined()
  })

  test('written on a copy', () => {
    expect(withValueAt(config, ['a', 'b'], 9)).toEqual({ a: { b: 9, c: 2 }, d: 3 })
    expect(config.a.b).toBe(1)
  })

  test('removed', () => {
    expect(withValueAt(config, ['a', 'b'], undefined)).toEqual({ a: { c: 2 }, d: 3 })
  })
})
