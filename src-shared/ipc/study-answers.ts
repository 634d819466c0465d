import type { SensitivityDocument } from '#shared/schema/sensitivity-document.ts'
import type { StudyDocument } from '#shared/schema/study-input.ts'
import { z } from '#shared/schema/zod.ts'

/** What cannot be done is an answer, not an error. */
const infeasibleSchema = z.object({ kind: z.literal('infeasible'), message: z.string() })

/** What each parameter of a chip would change about the runtime of a kernel. */
export const sensitivitySchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('sensitivity'),
    document: z.custom<SensitivityDocument>(value => typeof value === 'object'),
  }),
  infeasibleSchema,
])

/** The points of a study of the papers. */
export const studyOutcomeSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('study'),
    document: z.custom<StudyDocument>(value => typeof value === 'object'),
  }),
  infeasibleSchema,
])
