import type { Channel } from '#shared/ipc/channels.ts'
import { draftKeySchema, keepDraftSchema, keptDraftSchema } from '#shared/ipc/draft.ts'
import { runStatuses, type JobEvent } from '#shared/ipc/job-event.ts'
import { sensitivitySchema, studyOutcomeSchema } from '#shared/ipc/study-answers.ts'
import { validationRequests, type ValidationStatus } from '#shared/ipc/validation.ts'
import {
  attentionRequestSchema,
  dataflowField,
  experimentRequestSchema,
  experimentSpecSchema,
} from '#shared/schema/attention-input.ts'
import { decodeInputSchema, type DecodeDocument } from '#shared/schema/decode-input.ts'
import { planInputSchema, type PlanDocument } from '#shared/schema/plan-input.ts'
import { decodeAttentions } from '#shared/schema/deployment.ts'
import { studyRequestSchema } from '#shared/schema/study-input.ts'
import { z } from '#shared/schema/zod.ts'
import type { ChipRole } from '#shared/results/decode-result.ts'
import type { EventActivity } from '#shared/results/event-activity.ts'
import type { PackedTimeline } from '#shared/results/packed-timeline.ts'
import type { Engine } from '#shared/schema/engine-field.ts'
import type { AttentionDocument } from '#shared/schema/attention-document.ts'

const experimentId = z.int().positive()
const runId = z.int().positive()
const experimentIds = z.array(experimentId).min(1).max(10_000)
const statusField = z.enum(runStatuses)

/** A document is made by main, never by the page: its shape is the model's, not checked again. */
const documentSchema = z.custom<AttentionDocument>(value => typeof value === 'object')
const decodeDocumentSchema = z.custom<DecodeDocument>(value => typeof value === 'object')

const runFields = {
  id: z.int(),
  inputSha256: z.string(),
  modelVersion: z.string(),
  /** Made by another model version than the one that runs now. */
  stale: z.boolean(),
  status: statusField,
  message: z.string().nullable(),
  startedAtMs: z.int().nullable(),
  elapsedMs: z.number().nullable(),
}
const runSchema = z.object({
  ...runFields,
  dataflow: dataflowField,
  document: documentSchema.nullable(),
})
export type Run = z.infer<typeof runSchema>

const decodeRunSchema = z.object({ ...runFields, document: decodeDocumentSchema.nullable() })
export type DecodeRun = z.infer<typeof decodeRunSchema>

const experimentFields = {
  id: experimentId,
  name: z.string(),
  note: z.string(),
  tags: z.array(z.string()),
  createdAtMs: z.int(),
  trashedAtMs: z.int().nullable(),
}
const attentionExperimentSchema = z.object({
  ...experimentFields,
  kind: z.literal('attention'),
  spec: experimentSpecSchema,
  runs: z.array(runSchema),
})
/** One kernel on one chip, with each of its dataflows. */
export type AttentionExperiment = z.infer<typeof attentionExperimentSchema>

const decodeExperimentSchema = z.object({
  ...experimentFields,
  kind: z.literal('decode'),
  input: decodeInputSchema,
  runs: z.array(decodeRunSchema),
})
/** One deployment of a model on a system of chips. */
export type DecodeExperiment = z.infer<typeof decodeExperimentSchema>

const experimentSchema = z.discriminatedUnion('kind', [
  attentionExperimentSchema,
  decodeExperimentSchema,
])
export type Experiment = z.infer<typeof experimentSchema>

const experimentSummarySchema = z.object({
  ...experimentFields,
  kind: z.enum(['attention', 'decode']),
  /** Of a deployment the system. */
  chipName: z.string(),
  /** Of a deployment the model. */
  workloadName: z.string(),
  runs: z.array(
    z.object({
      id: z.int(),
      /** Of a deployment its kernel of attention. */
      dataflow: z.union([dataflowField, z.enum(decodeAttentions)]),
      status: statusField,
      /** Of a deployment the time of an output token. */
      seconds: z.number().nullable(),
      matrixUtilization: z.number().nullable(),
    }),
  ),
})
export type ExperimentSummary = z.infer<typeof experimentSummarySchema>

const openRunSchema = z.object({
  id: z.int(),
  experimentId,
  /** Of the experiment; of several that share the run the newest. */
  name: z.string(),
  dataflow: dataflowField,
  status: statusField,
})
export type OpenRun = z.infer<typeof openRunSchema>

const appInfoSchema = z.object({
  host: z.enum(['desktop', 'browser']),
  appVersion: z.string(),
  modelVersion: z.string(),
  schemaVersion: z.int(),
  dataDirectory: z.string(),
  /** Whether the history can be written; if not, why. */
  storage: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('ready') }),
    z.object({ kind: z.literal('unavailable'), message: z.string() }),
  ]),
})
export type AppInfo = z.infer<typeof appInfoSchema>

const estimateSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('estimate'), document: documentSchema }),
  z.object({ kind: z.literal('infeasible'), message: z.string() }),
])
export type Estimate = z.infer<typeof estimateSchema>

const infeasibleSchema = z.object({ kind: z.literal('infeasible'), message: z.string() })

const decodeEstimateSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('estimate'),
    document: decodeDocumentSchema,
    /** What each chip of the system works on, by its number. */
    chips: z.array(z.custom<ChipRole>(value => typeof value === 'object')),
  }),
  infeasibleSchema,
])
export type DecodeEstimate = z.infer<typeof decodeEstimateSchema>

const decodeSweepSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('sweep'),
    document: z.custom<PlanDocument>(value => typeof value === 'object'),
  }),
  infeasibleSchema,
  z.object({ kind: z.literal('cancelled') }),
])
export type DecodeSweep = z.infer<typeof decodeSweepSchema>

const activitySchema = z.custom<EventActivity>(value => typeof value === 'object')
const timelineSchema = z.custom<PackedTimeline>(value => typeof value === 'object')

/** Tiles whose operations can be asked for at once. */
export const MOST_TIMELINE_TILES = 8

const reportExportSchema = z.discriminatedUnion('kind', [
  /** The browser host serves the file once at this path; the page downloads it. */
  z.object({ kind: z.literal('download'), path: z.string(), fileName: z.string() }),
  /** The desktop host has written the file that the user chose. */
  z.object({ kind: z.literal('saved'), path: z.string() }),
  z.object({ kind: z.literal('cancelled') }),
])
export type ReportExport = z.infer<typeof reportExportSchema>

/** Chosen by the page, different for each sweep. */
const sweepId = z.string().min(1).max(100)

/** How many points of a sweep are done. */
export interface SweepProgress {
  readonly sweepId: string
  readonly done: number
  readonly total: number
}

/** One line is one request: typed at both ends, checked where it arrives. */
export const requests = {
  'app:info': { input: z.null(), output: appInfoSchema },
  /** The phase engine, at once: quick enough to run as the user types. */
  'attention:estimate': { input: attentionRequestSchema, output: estimateSchema },
  /** What each parameter of the chip would change about the runtime; phase engine. */
  'attention:sensitivity': { input: attentionRequestSchema, output: sensitivitySchema },
  /** One deployment of a model on a system of chips. */
  'decode:estimate': { input: decodeInputSchema, output: decodeEstimateSchema },
  /** Every split, batch and dataflow of a system; some seconds of work, cancelled by its id. */
  'decode:sweep': {
    input: z.strictObject({ sweepId, input: planInputSchema }),
    output: decodeSweepSchema,
  },
  'decode:cancel': { input: z.strictObject({ sweepId }), output: z.null() },
  /** Simulates a deployment and keeps it as an experiment; finds the one that has it already. */
  'decode:save': {
    input: z.strictObject({
      input: decodeInputSchema,
      name: z.string().trim().max(120),
      again: z.boolean(),
    }),
    output: z.object({ experimentId, reused: z.boolean() }),
  },
  /** What was being edited on a page; null where nothing was. */
  'draft:load': { input: draftKeySchema, output: keptDraftSchema.nullable() },
  'draft:keep': { input: keepDraftSchema, output: z.null() },
  /** Finds an experiment with the same runs, or queues what has not been run yet. */
  'experiment:start': {
    input: z.strictObject({ spec: experimentRequestSchema, again: z.boolean() }),
    output: z.object({ experimentId, reused: z.boolean() }),
  },
  'experiment:list': {
    input: z.strictObject({ trashed: z.boolean() }),
    output: z.array(experimentSummarySchema),
  },
  'experiment:get': { input: z.strictObject({ id: experimentId }), output: experimentSchema },
  'experiment:rename': {
    input: z.strictObject({ id: experimentId, name: z.string().trim().min(1).max(120) }),
    output: z.null(),
  },
  'experiment:annotate': {
    input: z.strictObject({
      id: experimentId,
      note: z.string().max(20_000),
      tags: z.array(z.string().trim().min(1).max(40)).max(40),
    }),
    output: z.null(),
  },
  'experiment:trash': { input: z.strictObject({ ids: experimentIds }), output: z.null() },
  'experiment:restore': { input: z.strictObject({ ids: experimentIds }), output: z.null() },
  /** For good; only what is in the trash. */
  'experiment:delete': { input: z.strictObject({ ids: experimentIds }), output: z.null() },
  /** What links, channels and tiles of a run did over time; simulated again where it is not kept. */
  'event:activity': { input: z.strictObject({ runId }), output: activitySchema },
  /** The operations of some tiles of a run, which is simulated again for them. */
  'event:timeline': {
    input: z.strictObject({
      runId,
      tiles: z.array(z.int().min(0)).min(1).max(MOST_TIMELINE_TILES),
    }),
    output: timelineSchema,
  },
  'job:cancel': { input: z.strictObject({ runId }), output: z.null() },
  /** The runs that wait or are under way, in the order in which they were queued. */
  'job:list': { input: z.null(), output: z.array(openRunSchema) },
  /** Prints the report of these experiments as a PDF. */
  'report:export': { input: z.strictObject({ experimentIds }), output: reportExportSchema },
  /** One of the studies of the papers, on their chip or on another; phase engine. */
  'study:run': { input: studyRequestSchema, output: studyOutcomeSchema },
  ...validationRequests,
} satisfies Record<Channel, { input: z.ZodType; output: z.ZodType }>

export type Input<C extends Channel> = z.infer<(typeof requests)[C]['input']>
export type Output<C extends Channel> = z.infer<(typeof requests)[C]['output']>

/** What main tells the page without being asked. */
export interface Events {
  'job:event': JobEvent
  /** The list of experiments is not what it was: load it again. */
  'history:changed': null
  /** Of a sweep of any page. */
  'decode:progress': SweepProgress
  /** A comparison of predicted with published numbers has come further, or to its end. */
  'validation:changed': { readonly engine: Engine; readonly status: ValidationStatus }
}

/** The page's whole view of the world outside; the preload and the browser host's client implement it. */
export interface AppApi {
  /** Rejects with an `ApiError`. */
  invoke<C extends Channel>(channel: C, input: Input<C>): Promise<Output<C>>
  /** @returns a function that stops listening */
  on<E extends keyof Events>(event: E, listener: (payload: Events[E]) => void): () => void
}

export const apiErrorCodes = [
  'bad-input',
  'infeasible',
  'not-found',
  'storage',
  'no-chromium',
  'disconnected',
  'internal',
] as const
export type ApiErrorCode = (typeof apiErrorCodes)[number]

/** An answer, or why there is none: errors cross processes as data. */
export type Reply =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly code: ApiErrorCode; readonly message: string }
