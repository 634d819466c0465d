import {
  formFields,
  valueAt,
  valueFields,
  type NumberField,
  type ValueField,
} from '#shared/schema/form-fields.ts'
import type { z } from '#shared/schema/zod.ts'
import { formatNumber } from '#shared/units/format.ts'

/** What is wrong with one field, in words. */
export interface FieldProblem {
  readonly path: readonly string[]
  readonly message: string
}

/** What a configuration violates: each problem names the value it found and what is allowed. */
export function fieldProblems(schema: z.ZodObject, config: unknown): FieldProblem[] {
  const parsed = schema.safeParse(config)
  if (parsed.success) return []
  const fields = valueFields(formFields(schema))
  return parsed.error.issues.flatMap(issue => {
    const path = issue.path.map(String)
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map(key => ({ path: [...path, key], message: 'is not a known field' }))
    }
    if (issue.code === 'custom') return [{ path, message: issue.message }]
    const value = valueAt(config, path)
    const field = fields.find(candidate => candidate.path.join() === path.join())
    const allowed = field === undefined ? lowerFirst(issue.message) : allowedValues(field)
    return [
      {
        path,
        message: value === undefined ? `is missing: ${allowed}` : `${allowed}, got ${shown(value)}`,
      },
    ]
  })
}

/** The rule for a field's value, as the end of a sentence that starts with the field's name. */
export function allowedValues(field: ValueField): string {
  switch (field.kind) {
    case 'number':
      return `must be ${numberRule(field)}`
    case 'choice':
      return `must be one of ${field.choices.join(', ')}`
    case 'switch':
      return 'must be true or false'
    case 'text':
      return `must be a text of 1 to ${formatNumber(field.maxLength)} characters`
  }
}

/** The range of a number in words: 'a whole number from 1 to 256 tiles'. */
export function numberRule(field: NumberField): string {
  const kind = field.integer ? 'a whole number' : 'a number'
  const multiple =
    field.multipleOf === undefined ? '' : `, a multiple of ${formatNumber(field.multipleOf)}`
  const unit = field.unit === '1' || field.unit === '' ? '' : ` ${field.unit}`
  return `${kind} from ${formatNumber(field.min)} to ${formatNumber(field.max)}${unit}${multiple}`
}

/** What is wrong with a number that a field may hold; undefined where nothing is. */
export function numberProblem(field: NumberField, value: number | undefined): string | undefined {
  if (value === undefined)
    return field.optional ? undefined : `is empty: must be ${numberRule(field)}`
  const isAllowed =
    value >= field.min &&
    value <= field.max &&
    (!field.integer || Number.isInteger(value)) &&
    (field.multipleOf === undefined || value % field.multipleOf === 0)
  return isAllowed ? undefined : `must be ${numberRule(field)}, got ${shown(value)}`
}

function shown(value: unknown): string {
  if (Number.isNaN(value)) return 'no number'
  if (typeof value === 'number') return String(value)
  const text = JSON.stringify(value)
  return text.length <= 60 ? text : `${text.slice(0, 57)}…`
}

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)
