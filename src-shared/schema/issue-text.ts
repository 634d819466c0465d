import { z } from '#shared/schema/zod.ts'

type Issue = z.core.$ZodIssue
type Path = readonly PropertyKey[]

export interface IssueTextOptions {
  /** What the value as a whole is called, put before every path: 'chip'. */
  readonly root?: string
  /** The schema that refused: with it, an unknown key is answered with the known ones. */
  readonly schema?: z.ZodType
}

/**
 * Says what is wrong with a value, one line for each problem:
 * the field, what is allowed, what was received.
 *
 *   chip.hbm.efficiency: must be at most 1, got 1.5
 *
 * @param received the value that was parsed
 */
export function issueLines(
  error: z.ZodError,
  received: unknown,
  { root = '', schema }: IssueTextOptions = {},
): string[] {
  const lines = withoutRepeated(error.issues).flatMap(issue => linesOf(issue, received, [], schema))
  return [...new Set(lines.map(({ path, text }) => `${pathText(path, root)}: ${text}`))]
}

interface Line {
  readonly path: Path
  readonly text: string
}

function linesOf(issue: Issue, received: unknown, parent: Path, schema?: z.ZodType): Line[] {
  const path = [...parent, ...issue.path]
  const value = valueAt(received, path)
  const line = (text: string): Line => ({ path, text })
  const but = (allowed: string): Line => line(`${allowed}, got ${valueText(value)}`)
  if (issue.code === 'custom') return [line(issue.message)]
  if (value === undefined && issue.code !== 'unrecognized_keys') {
    return [line(`is missing; ${expectation(issue)}`)]
  }
  switch (issue.code) {
    case 'unrecognized_keys': {
      const known = knownKeys(schema, path)
      const hint = known.length > 0 ? `; known are ${known.join(', ')}` : ''
      return issue.keys.map(key => line(`unknown key ${JSON.stringify(key)}${hint}`))
    }
    case 'invalid_union':
      return unionLines(issue, received, path) ?? [but(expectation(issue))]
    case 'invalid_element':
    case 'invalid_key':
      return issue.issues.flatMap(inner => linesOf(inner, received, path))
    case 'too_big':
    case 'too_small':
    case 'invalid_type':
    case 'invalid_format':
    case 'invalid_value':
    case 'not_multiple_of':
      return [but(expectation(issue))]
  }
}

/** What the value should have been: 'must be at most 1'. */
function expectation(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${typeText(issue.expected)}`
    case 'too_big':
      return boundText(issue, issue.maximum, issue.inclusive === false ? 'below' : 'at most')
    case 'too_small':
      return boundText(issue, issue.minimum, issue.inclusive === false ? 'above' : 'at least')
    case 'not_multiple_of':
      return `must be a multiple of ${String(issue.divisor)}`
    case 'invalid_value':
      return choiceText(issue.values)
    case 'invalid_format':
      return `must be text of the form ${issue.format}`
    case 'invalid_union':
      return 'options' in issue ? choiceText(issue.options) : unionText(issue.errors)
    case 'unrecognized_keys':
    case 'invalid_key':
    case 'invalid_element':
    case 'custom':
      return issue.message
  }
}

/** The problems inside the one alternative that the value comes closest to, if there is one. */
function unionLines(
  issue: Extract<Issue, { code: 'invalid_union' }>,
  received: unknown,
  path: Path,
): Line[] | undefined {
  const inside = issue.errors.filter(problems => problems.every(({ path }) => path.length > 0))
  const [only, ...others] = inside
  if (only === undefined || others.length > 0) return undefined
  return only.flatMap(inner => linesOf(inner, received, path))
}

const unionText = (alternatives: readonly (readonly Issue[])[]): string => {
  const texts = alternatives.flatMap(issues =>
    issues.filter(({ path }) => path.length === 0).map(issue => expectation(issue)),
  )
  return [...new Set(texts)].join(' or ') || 'must be one of the allowed forms'
}

function boundText(
  issue: Extract<Issue, { code: 'too_big' | 'too_small' }>,
  bound: number | bigint,
  relation: string,
): string {
  const count = `${issue.exact === true ? 'exactly' : relation} ${String(bound)}`
  if (issue.origin === 'string') {
    return `must have ${count} ${bound === 1 ? 'character' : 'characters'}`
  }
  if (issue.origin === 'array' || issue.origin === 'set') {
    return `must have ${count} ${bound === 1 ? 'entry' : 'entries'}`
  }
  return `must be ${count}`
}

const typeTexts: Readonly<Record<string, string>> = {
  int: 'a whole number',
  number: 'a finite number',
  string: 'text',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
}
const typeText = (expected: string): string => typeTexts[expected] ?? expected

const choiceText = (values: readonly unknown[]): string =>
  values.length === 1
    ? `must be ${valueText(values[0])}`
    : `must be one of ${values.map(value => (typeof value === 'string' ? value : valueText(value))).join(', ')}`

/** A number beyond the safe integers breaks its own limit as well: one line says enough. */
const withoutRepeated = (issues: readonly Issue[]): Issue[] =>
  issues.filter(
    issue =>
      !(issue.code === 'too_big' || issue.code === 'too_small') ||
      issue.origin !== 'int' ||
      !issues.some(
        other => other !== issue && other.code === issue.code && samePath(other.path, issue.path),
      ),
  )

const samePath = (a: Path, b: Path): boolean =>
  a.length === b.length && a.every((key, index) => key === b[index])

function valueAt(root: unknown, path: Path): unknown {
  let value = root
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    value = Reflect.get(value, key)
  }
  return value
}

/** The keys of the object schema that stands at `path`, [] where there is none. */
function knownKeys(root: z.ZodType | undefined, path: Path): string[] {
  let schema: unknown = root
  for (const key of [...path, undefined]) {
    while (
      schema instanceof z.ZodOptional ||
      schema instanceof z.ZodNullable ||
      schema instanceof z.ZodDefault
    ) {
      schema = schema.unwrap()
    }
    if (schema instanceof z.ZodObject) {
      const { shape } = schema
      if (key === undefined) return Object.keys(shape)
      schema = typeof key === 'string' ? shape[key] : undefined
    } else if (schema instanceof z.ZodArray) {
      schema = schema.element
    } else return []
  }
  return []
}

/** `root.tiles.x`, `runs[2].name`; 'input' for the value as a whole where it has no name. */
function pathText(path: Path, root: string): string {
  let text = root
  for (const key of path) {
    if (typeof key === 'number') text += `[${String(key)}]`
    else text += text === '' ? String(key) : `.${String(key)}`
  }
  return text === '' ? 'input' : text
}

const shownCharacters = 60

/** A received value as a person would write it; long ones are cut. */
function valueText(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list'
  if (typeof value === 'string') {
    const text = JSON.stringify(value)
    return text.length <= shownCharacters ? text : `${text.slice(0, shownCharacters)}…`
  }
  // NaN and Infinity too, which JSON lacks.
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}
