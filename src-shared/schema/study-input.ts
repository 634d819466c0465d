import type { StudyResult } from '#shared/results/study-result.ts'
import { chipSchema } from '#shared/schema/chip.ts'
import { z } from '#shared/schema/zod.ts'

export const studyIds = ['group-scale', 'slice', 'collectives'] as const
export type StudyId = (typeof studyIds)[number]

/** Which study, and on which chip; that of the paper where none is given. */
export const studyRequestSchema = z.strictObject({
  study: z.enum(studyIds),
  chip: chipSchema.optional(),
})
export type StudyRequest = z.infer<typeof studyRequestSchema>

export interface StudyDocument {
  readonly modelVersion: string
  readonly chipName: string
  readonly result: StudyResult
}
