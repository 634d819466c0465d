import type { EventActivity } from '#shared/results/event-activity.ts'
import { attentionInputSchema } from '#shared/schema/attention-input.ts'
import type { AttentionDocument } from '#shared/schema/attention-document.ts'
import { z } from '#shared/schema/zod.ts'

const runId = z.int().positive()
const documentSchema = z.custom<AttentionDocument>(
  value => typeof value === 'object' && value !== null,
)

const activitySchema = z.custom<EventActivity>(value => typeof value === 'object' && value !== null)

/** What a worker is told. */
export const workerRequestSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('run'), runId, input: attentionInputSchema }),
  z.strictObject({ kind: z.literal('cancel'), runId }),
])
export type WorkerRequest = z.infer<typeof workerRequestSchema>

/** What a worker tells; `done`, `failed` and `cancelled` end the run. */
export const workerMessageSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('progress'),
    runId,
    progress: z.strictObject({ phase: z.string(), done: z.number(), total: z.number() }),
  }),
  z.strictObject({
    kind: z.literal('done'),
    runId,
    document: documentSchema,
    /** Of a run of the event engine, apart from its document. */
    activity: activitySchema.optional(),
    elapsedMs: z.number().nonnegative(),
  }),
  z.strictObject({ kind: z.literal('failed'), runId, message: z.string() }),
  z.strictObject({ kind: z.literal('cancelled'), runId }),
])
export type WorkerMessage = z.infer<typeof workerMessageSchema>
