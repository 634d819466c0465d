import { engines } from '#shared/schema/engine-field.ts'
import { z } from '#shared/schema/zod.ts'
import type { Validation } from '#shared/validation/validate.ts'

const engineSchema = z.enum(engines)

/** Sets are made by main, never by the page: their shape is the model's, not checked again. */
const validationSchema = z.custom<Validation>(value => typeof value === 'object' && value !== null)

const progressSchema = z.strictObject({ phase: z.string(), done: z.number(), total: z.number() })

/** What a worker is told to compare; it ends with its process. */
export const validationRequestSchema = z.strictObject({
  kind: z.literal('validate'),
  engine: engineSchema,
})
export type ValidationRequest = z.infer<typeof validationRequestSchema>

/** What the worker tells of it; the last two end it. */
export const validationMessageSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('validating'), progress: progressSchema }),
  z.strictObject({
    kind: z.literal('validated'),
    validation: validationSchema,
    elapsedMs: z.number().nonnegative(),
  }),
  z.strictObject({ kind: z.literal('validation-failed'), message: z.string() }),
])
export type ValidationMessage = z.infer<typeof validationMessageSchema>

/** How far the comparison of one engine is. */
const validationStatusSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('idle') }),
  z.object({
    kind: z.literal('running'),
    startedAtMs: z.number(),
    progress: progressSchema.nullable(),
  }),
  z.object({ kind: z.literal('failed'), message: z.string() }),
])
export type ValidationStatus = z.infer<typeof validationStatusSchema>

/** The comparison that was made last, kept beside the history. */
export const keptValidationSchema = z.object({
  validation: z.custom<Validation>(
    value =>
      typeof value === 'object' &&
      value !== null &&
      'modelVersion' in value &&
      'sets' in value &&
      Array.isArray(value.sets),
  ),
  ranAtMs: z.number(),
  elapsedMs: z.number(),
})
export type KeptValidation = z.infer<typeof keptValidationSchema>

/** The requests about comparisons. */
export const validationRequests = {
  /** Predicted against published with one engine: what was compared last, and what goes on. */
  'validation:get': {
    input: z.strictObject({ engine: engineSchema }),
    output: z.object({ status: validationStatusSchema, kept: keptValidationSchema.nullable() }),
  },
  /** Compares anew in a worker; one that is under way goes on. */
  'validation:start': { input: z.strictObject({ engine: engineSchema }), output: z.null() },
  'validation:cancel': { input: z.strictObject({ engine: engineSchema }), output: z.null() },
} as const
