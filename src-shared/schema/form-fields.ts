import { z } from '#shared/schema/zod.ts'

/** Keys from the root of a configuration to a field of it. */
export type FieldPath = readonly string[]

interface FieldBase {
  readonly path: FieldPath
  readonly label: string
  readonly help: string
  readonly optional: boolean
}

export interface NumberField extends FieldBase {
  readonly kind: 'number'
  readonly unit: string
  readonly min: number
  readonly max: number
  readonly integer: boolean
  /** The value must be a multiple of this; undefined where any value will do. */
  readonly multipleOf: number | undefined
}

export interface TextField extends FieldBase {
  readonly kind: 'text'
  readonly maxLength: number
}

export interface ChoiceField extends FieldBase {
  readonly kind: 'choice'
  readonly choices: readonly string[]
}

export interface SwitchField extends FieldBase {
  readonly kind: 'switch'
}

export type ValueField = NumberField | TextField | ChoiceField | SwitchField

export interface SectionField extends FieldBase {
  readonly kind: 'section'
  readonly fields: readonly FormField[]
}

export type FormField = ValueField | SectionField

/**
 * What a form needs to know about a configuration schema, in the schema's order.
 * Members without a label (the schema version) are not for people and are left out.
 *
 * @throws TypeError on a labelled member of a type that no form can draw
 */
export function formFields(schema: z.ZodObject, parent: FieldPath = []): FormField[] {
  return Object.entries(schema.shape).flatMap(([key, member]) => {
    const field = formField(member, [...parent, key])
    return field === undefined ? [] : [field]
  })
}

/** The fields that hold a value, without the sections around them. */
export const valueFields = (fields: readonly FormField[]): ValueField[] =>
  fields.flatMap(field => (field.kind === 'section' ? valueFields(field.fields) : [field]))

/** The value at a path of a configuration; undefined where there is none. */
export function valueAt(config: unknown, path: FieldPath): unknown {
  return path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, key)
        ? (value as Record<string, unknown>)[key]
        : undefined,
    config,
  )
}

/** A copy of a configuration with another value at a path; undefined removes the member. */
export function withValueAt(
  config: Readonly<Record<string, unknown>>,
  path: FieldPath,
  value: unknown,
): Record<string, unknown> {
  const [key, ...rest] = path
  if (key === undefined) return { ...config }
  const copy = { ...config }
  if (rest.length > 0) {
    const member = copy[key]
    const inner = typeof member === 'object' && member !== null ? member : {}
    copy[key] = withValueAt(inner as Record<string, unknown>, rest, value)
  } else if (value === undefined) {
    return Object.fromEntries(Object.entries(config).filter(([name]) => name !== key))
  } else {
    copy[key] = value
  }
  return copy
}

function formField(member: unknown, path: FieldPath): FormField | undefined {
  if (!(member instanceof z.ZodType)) return undefined
  const optional = member instanceof z.ZodOptional
  const type: unknown = optional || member instanceof z.ZodDefault ? member.unwrap() : member
  if (!(type instanceof z.ZodType)) return undefined
  const meta = { ...type.meta(), ...member.meta() }
  if (typeof meta.label !== 'string') return undefined
  const base = { path, label: meta.label, help: textOf(meta.help), optional }
  if (type instanceof z.ZodObject) {
    return { ...base, kind: 'section', fields: formFields(type, path) }
  }
  if (type instanceof z.ZodNumber) {
    return { ...base, kind: 'number', unit: textOf(meta.unit), ...rangeOf(type) }
  }
  // A number or a list of numbers: the number is what a form edits.
  const single = type instanceof z.ZodUnion ? type.options[0] : undefined
  if (single instanceof z.ZodNumber) {
    return { ...base, kind: 'number', unit: textOf(meta.unit), ...rangeOf(single) }
  }
  if (type instanceof z.ZodBoolean) return { ...base, kind: 'switch' }
  if (type instanceof z.ZodEnum)
    return { ...base, kind: 'choice', choices: type.options.map(String) }
  if (type instanceof z.ZodString) {
    return { ...base, kind: 'text', maxLength: type.maxLength ?? Number.MAX_SAFE_INTEGER }
  }
  throw new TypeError(`no form control for ${path.join('.')} of type ${type.type}`)
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

function rangeOf(type: z.ZodNumber): Pick<NumberField, 'min' | 'max' | 'integer' | 'multipleOf'> {
  const json = z.toJSONSchema(type)
  return {
    min: json.minimum ?? Number.NEGATIVE_INFINITY,
    max: json.maximum ?? Number.POSITIVE_INFINITY,
    integer: json.type === 'integer',
    multipleOf: json.multipleOf,
  }
}
