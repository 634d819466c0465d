import { UsageError } from '#main/cli/usage-error.ts'
import { z } from '#shared/schema/zod.ts'

/** The parts of an input that `--set` reaches, each with its schema. */
export type OverridableParts = Readonly<Record<string, z.ZodType>>

/**
 * Applies one `path=value` to a copy of `target`.
 *
 * The value is read as the field asks for: a number, true or false, or text.
 *
 * @param parts the top-level names and their schemas
 * @throws UsageError where the path names no field, or the value has not the type of the field
 */
export function applyOverride(
  target: Readonly<Record<string, unknown>>,
  assignment: string,
  parts: OverridableParts,
): Record<string, unknown> {
  const equals = assignment.indexOf('=')
  if (equals < 1) {
    throw new UsageError(
      `--set ${assignment}: must be path=value, such as chip.hbm.channels.south=64`,
    )
  }
  const path = assignment.slice(0, equals).trim()
  const keys = path.split('.')
  const leaf = leafSchema(keys, z.object(parts), path)
  const value = readValue(assignment.slice(equals + 1).trim(), leaf, path)
  return replaced(target, keys, value)
}

function leafSchema(keys: readonly string[], root: z.ZodType, path: string): z.ZodType {
  let schema: z.ZodType = root
  let reached = ''
  for (const key of keys) {
    if (!(schema instanceof z.ZodObject)) {
      throw new UsageError(`--set ${path}: ${reached} is a single value, it has no ${key}`)
    }
    const shape = schema.shape as Record<string, z.ZodType>
    const next = Object.hasOwn(shape, key) ? shape[key] : undefined
    if (next === undefined) {
      const where = reached === '' ? 'a path starts with one of' : `${reached} has`
      throw new UsageError(
        `--set ${path}: unknown field "${key}"; ${where} ${Object.keys(shape).join(', ')}`,
      )
    }
    const wrapped = next instanceof z.ZodOptional || next instanceof z.ZodDefault
    schema = wrapped ? (next.unwrap() as z.ZodType) : next
    reached = reached === '' ? key : `${reached}.${key}`
  }
  if (schema instanceof z.ZodObject) {
    const fields = Object.keys(schema.shape as object).map(key => `${reached}.${key}`)
    throw new UsageError(
      `--set ${path}: is a group of fields; set one of them: ${fields.join(', ')}`,
    )
  }
  return schema
}

const numberPattern = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i

function readValue(text: string, schema: z.ZodType, path: string): unknown {
  if (schema instanceof z.ZodBoolean) {
    if (text === 'true' || text === 'false') return text === 'true'
    throw new UsageError(`--set ${path}: must be true or false, got "${text}"`)
  }
  if (schema instanceof z.ZodNumber || schema instanceof z.ZodLiteral) {
    const value = numberPattern.test(text) ? Number(text) : Number.NaN
    if (Number.isFinite(value)) return value
    throw new UsageError(`--set ${path}: must be a finite number, got "${text}"`)
  }
  // A number or a list of numbers.
  if (schema instanceof z.ZodUnion && schema.options[0] instanceof z.ZodNumber) {
    const parts = text.split(',').map(part => part.trim())
    const [single, ...more] = parts
    if (!parts.every(part => numberPattern.test(part))) {
      throw new UsageError(
        `--set ${path}: must be a finite number, or several with commas between them, got "${text}"`,
      )
    }
    return more.length === 0 ? Number(single) : parts.map(Number)
  }
  return text
}

function replaced(
  target: Readonly<Record<string, unknown>>,
  keys: readonly string[],
  value: unknown,
): Record<string, unknown> {
  const [key = '', ...rest] = keys
  if (rest.length === 0) return { ...target, [key]: value }
  const member = target[key] ?? {}
  // Not a group at all: left as it is, the schema says so better.
  if (typeof member !== 'object' || Array.isArray(member)) return { ...target }
  return { ...target, [key]: replaced(member as Record<string, unknown>, rest, value) }
}
