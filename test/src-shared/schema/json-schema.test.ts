import { describe, expect, test } from 'vitest'
import { attentionRequestSchema, experimentSpecSchema } from '#shared/schema/attention-input.ts'
import { chipSchema } from '#shared/schema/chip.ts'
import { decodeInputSchema } from '#shared/schema/decode-input.ts'
import { deploymentSchema } from '#shared/schema/deployment.ts'
import { dispatchInputSchema } from '#shared/schema/dispatch-input.ts'
import { gemmInputSchema, gemmMappingSchema } from '#shared/schema/gemm-input.ts'
import { mappingSchema } from '#shared/schema/mapping.ts'
import { modelSchema } from '#shared/schema/model.ts'
import { planInputSchema } from '#shared/schema/plan-input.ts'
import { systemFileSchema, systemSchema } from '#shared/schema/system.ts'
import { tuneInputSchema } from '#shared/schema/tune-input.ts'
import { vectorInputSchema } from '#shared/schema/vector-input.ts'
import { workloadSchema } from '#shared/schema/workload.ts'
import { z } from '#shared/schema/zod.ts'
import { makeChipConfig } from '#test/support/make-chip.ts'

const schemas = {
  chip: chipSchema,
  workload: workloadSchema,
  mapping: mappingSchema,
  attention: attentionRequestSchema,
  tune: tuneInputSchema,
  experiment: experimentSpecSchema,
  gemm: gemmInputSchema,
  'gemm-mapping': gemmMappingSchema,
  vector: vectorInputSchema,
  system: systemSchema,
  'system file': systemFileSchema,
  dispatch: dispatchInputSchema,
  model: modelSchema,
  deployment: deploymentSchema,
  decode: decodeInputSchema,
  plan: planInputSchema,
}

interface JsonSchema {
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly type?: string
  readonly additionalProperties?: unknown
  readonly label?: string
  readonly unit?: string
  readonly help?: string
  readonly minimum?: number
  readonly maximum?: number
}

const exported = (schema: z.ZodType) => z.toJSONSchema(schema) as JsonSchema

/** All fields that hold a number, with their paths. */
function numberFields(schema: JsonSchema, path = ''): [string, JsonSchema][] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const fieldPath = path === '' ? name : `${path}.${name}`
    if (field.type === 'number' || field.type === 'integer') return [[fieldPath, field]]
    return numberFields(field, fieldPath)
  })
}

/** Paths of all numbers in a configuration. */
function numbersIn(value: object, path = ''): string[] {
  return Object.entries(value).flatMap(([name, member]: [string, unknown]) => {
    const memberPath = path === '' ? name : `${path}.${name}`
    if (typeof member === 'number') return [memberPath]
    return typeof member === 'object' && member !== null ? numbersIn(member, memberPath) : []
  })
}

describe('JSON Schema', () => {
  test.each(Object.entries(schemas))('of %s describes a closed object', (_, schema) => {
    expect(exported(schema)).toMatchObject({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      additionalProperties: false,
    })
  })

  test.each(Object.entries(schemas))(
    'of %s gives label, unit, help and both ends of the range for every number',
    (_, schema) => {
      const bare = numberFields(exported(schema)).filter(
        ([, field]) =>
          !(field.label && field.unit && field.help) ||
          field.minimum === undefined ||
          field.maximum === undefined,
      )
      // The schema version is a constant, not a quantity.
      expect(bare.map(([path]) => path).filter(path => !path.endsWith('schemaVersion'))).toEqual([])
    },
  )

  test('of a chip has all numbers of a chip', () => {
    const fields = numberFields(exported(chipSchema)).map(([path]) => path)
    const numbers = numbersIn(makeChipConfig()).filter(path => path !== 'schemaVersion')
    expect(numbers).toContain('hbm.channels.south')
    expect(fields.filter(path => path !== 'schemaVersion').toSorted()).toEqual(numbers.toSorted())
  })

  test('of a chip requires every field', () => {
    const { properties, required } = exported(chipSchema)
    expect(required?.toSorted()).toEqual(Object.keys(properties ?? {}).toSorted())
  })

  test.each([mappingSchema, gemmMappingSchema])('of a mapping requires none', schema => {
    expect(exported(schema).required ?? []).toEqual([])
  })
})
