import { breakdownComponents } from '#shared/results/attention-result.ts'
import type { AttentionDocument } from '#shared/schema/attention-document.ts'
import {
  attentionInputSchema,
  dataflowField,
  experimentSpecSchema,
} from '#shared/schema/attention-input.ts'
import { decodeInputSchema, type DecodeDocument } from '#shared/schema/decode-input.ts'
import { SCHEMA_VERSION } from '#shared/schema/schema-version.ts'
import { z } from '#shared/schema/zod.ts'

const amount = z.number().nonnegative()
const fraction = z.number().min(0).max(1)
/** As far as calendars go: later moments have no date. */
const latestMs = 8.64e15
const version = z.string().min(1).max(100)
const timestamp = z.int().nonnegative().max(latestMs)

/** What every reader of a document relies on; fields that later models add are kept as they are. */
const resultSchema = z.looseObject({
  cycles: amount,
  seconds: amount,
  matrixUtilization: fraction,
  matrixActiveUtilization: fraction,
  usefulFlops: amount,
  executedFlops: amount,
  hbmReadBytes: amount,
  hbmWriteBytes: amount,
  hbmBandwidthUtilization: fraction,
  nocBytes: amount,
  l1PeakBytes: amount,
  arithmeticIntensity: amount,
  bound: z.enum(['compute', 'memory', 'noc', 'synchronization']),
  mapping: z.looseObject({
    groupX: amount,
    groupY: amount,
    groups: amount,
    sliceRows: amount,
    sliceCols: amount,
    blockRows: amount,
    blockCols: amount,
    outerIterations: amount,
    innerIterations: amount,
    async: z.boolean(),
  }),
  breakdown: z.array(z.looseObject({ component: z.enum(breakdownComponents), seconds: amount })),
  peakFlopsPerSecond: amount,
  peakHbmBytesPerSecond: amount,
})

const documentShape = z.looseObject({
  schemaVersion: z.literal(SCHEMA_VERSION),
  modelVersion: version,
  input: attentionInputSchema,
  result: resultSchema,
  explanation: z.array(
    z.looseObject({
      field: z.string(),
      label: z.string(),
      value: z.number(),
      unit: z.string(),
      formula: z.string(),
      terms: z.array(
        z.looseObject({
          symbol: z.string(),
          name: z.string(),
          value: z.number(),
          unit: z.string(),
          source: z.string(),
        }),
      ),
      source: z.string(),
    }),
  ),
  warnings: z.array(z.looseObject({ code: z.string(), message: z.string() })),
})

/** A document from outside: what is read from it is checked, and every number is finite. */
const documentSchema = documentShape.transform(document => document as AttentionDocument)

/** The same of a deployment: what the pages read of it. */
const decodeDocumentSchema = documentShape
  .extend({
    input: decodeInputSchema,
    result: z.looseObject({
      tpotSeconds: amount,
      iterationSeconds: amount,
      layerSeconds: amount,
      tokensPerSecondPerChip: amount,
      systemTokensPerSecond: amount,
      sequencesInFlight: amount,
      fits: z.boolean(),
      memory: z.looseObject({ perStage: z.array(z.looseObject({})) }),
      pipeline: z.looseObject({ layersPerStage: z.array(amount) }),
      communication: z.looseObject({ links: z.array(z.looseObject({})) }),
      kernels: z.array(z.looseObject({ name: z.string(), seconds: amount })),
    }),
  })
  .transform(document => document as unknown as DecodeDocument)

const runShape = {
  inputSha256: z.string().regex(/^[0-9a-f]{64}$/),
  modelVersion: version,
  startedAtMs: timestamp.nullable(),
}

const doneShape = { ...runShape, status: z.literal('done'), elapsedMs: amount }

const runSchema = z.discriminatedUnion('status', [
  z.strictObject({ ...doneShape, dataflow: dataflowField, document: documentSchema }),
  z.strictObject({
    ...runShape,
    dataflow: dataflowField,
    status: z.enum(['failed', 'cancelled', 'crashed']),
    elapsedMs: amount.nullable(),
    message: z.string().nullable(),
  }),
])
export type HistoryFileRun = z.infer<typeof runSchema>

const decodeRunSchema = z.strictObject({ ...doneShape, document: decodeDocumentSchema })
export type HistoryFileDecodeRun = z.infer<typeof decodeRunSchema>

const experimentShape = {
  name: z.string().trim().min(1).max(300),
  note: z.string().max(20_000),
  tags: z.array(z.string().min(1).max(40)).max(40),
  createdAtMs: timestamp,
}
const attentionExperimentSchema = z.strictObject({
  ...experimentShape,
  /** Files of the first version do not have it. */
  kind: z.literal('attention').default('attention'),
  spec: experimentSpecSchema,
  runs: z.array(runSchema).min(1),
})
const decodeExperimentSchema = z.strictObject({
  ...experimentShape,
  kind: z.literal('decode'),
  input: decodeInputSchema,
  runs: z.array(decodeRunSchema).length(1),
})
const experimentSchema = z.discriminatedUnion('kind', [
  attentionExperimentSchema,
  decodeExperimentSchema,
])
export type HistoryFileAttention = z.infer<typeof attentionExperimentSchema>
export type HistoryFileDecode = z.infer<typeof decodeExperimentSchema>
export type HistoryFileExperiment = z.infer<typeof experimentSchema>

/** The file that the history is exported to and imported from. */
export const historyFileSchema = z.strictObject({
  format: z.literal('tessera-history'),
  schemaVersion: z.literal(SCHEMA_VERSION),
  appVersion: z.string(),
  exportedAtMs: timestamp,
  experiments: z.array(experimentSchema),
})
export type HistoryFile = z.infer<typeof historyFileSchema>
