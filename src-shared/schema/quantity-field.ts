import { z } from '#shared/schema/zod.ts'

/** What a form, a help text or a JSON Schema says about one field. */
export interface FieldMeta {
  readonly label: string
  /** As printed beside the value: 'KiB', 'GB/s', '1' for a pure number. */
  readonly unit: string
  readonly help: string
}

interface Range {
  readonly min: number
  readonly max: number
}

/** A real number with a unit and a closed range. */
export function quantityField(meta: FieldMeta, range: Range) {
  return z
    .number()
    .min(range.min)
    .max(range.max)
    .meta({ ...meta })
}

/** A real number, or a list of such: forms edit the number. */
export function numberOrListField(
  meta: FieldMeta,
  range: Range,
  { most }: { readonly most: number },
) {
  const value = quantityField(meta, range)
  return z.union([value, z.array(value).min(1).max(most)]).meta({ ...meta })
}

/** A whole number with a closed range. */
export function countField(meta: FieldMeta, range: Range) {
  return z
    .int()
    .min(range.min)
    .max(range.max)
    .meta({ ...meta })
}

/** A yes or no. */
export function switchField(meta: Omit<FieldMeta, 'unit'>) {
  return z.boolean().meta({ ...meta, unit: '' })
}

/** One of a few words. */
export function choiceField<const Choices extends readonly [string, ...string[]]>(
  meta: Omit<FieldMeta, 'unit'>,
  choices: Choices,
) {
  return z.enum(choices).meta({ ...meta, unit: '' })
}

/** A group of fields, with a heading. */
export function section<Shape extends z.core.$ZodLooseShape>(
  meta: Pick<FieldMeta, 'label' | 'help'>,
  shape: Shape,
) {
  return z.strictObject(shape).meta({ ...meta })
}

/** The name that a person gave to a configuration. */
export const nameField = z
  .string()
  .trim()
  .min(1)
  .max(120)
  .meta({ label: 'Name', unit: '', help: 'Shown in lists and reports.' })
