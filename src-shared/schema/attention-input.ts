import { dataflowChoices, dataflows } from '#shared/mapping/dataflow.ts'
import { chipSchema } from '#shared/schema/chip.ts'
import { mappingSchema } from '#shared/schema/mapping.ts'
import { engines } from '#shared/schema/engine-field.ts'
import { choiceField } from '#shared/schema/quantity-field.ts'
import { workloadSchema } from '#shared/schema/workload.ts'
import { z } from '#shared/schema/zod.ts'

export const dataflowField = choiceField(
  { label: 'Dataflow', help: 'How the kernel is spread over the tiles.' },
  dataflows,
)

const dataflowChoiceField = choiceField(
  { label: 'Dataflow', help: 'How the kernel is spread over the tiles; auto: the fastest.' },
  dataflowChoices,
)

/** Everything that decides the numbers of one run, fully resolved: the identity of a run. */
export const attentionInputSchema = z.strictObject({
  kind: z.literal('attention'),
  /** 'phase' sums formulas; 'event' simulates every tile, link and channel. */
  engine: z.enum(engines),
  /** Where the loading tiles of a group stand; only the event engine can tell the difference. */
  loaders: z.enum(['diagonal', 'edge']).optional(),
  chip: chipSchema,
  workload: workloadSchema,
  dataflow: dataflowField,
  mapping: mappingSchema,
})

export type AttentionInput = z.infer<typeof attentionInputSchema>

/** What may be asked for: a run, or the run of the dataflow that is predicted to be fastest. */
export const attentionRequestSchema = attentionInputSchema.extend({
  dataflow: dataflowChoiceField,
})

export type AttentionRequest = z.infer<typeof attentionRequestSchema>

/** What a person runs at once: one chip and workload, several dataflows side by side. */
export const experimentSpecSchema = z.strictObject({
  name: z.string().trim().max(120),
  chip: chipSchema,
  workload: workloadSchema,
  mapping: mappingSchema,
  /** Which model computes the runs; the phase engine where left out. */
  engine: z.enum(engines).optional(),
  /** As in an input. */
  loaders: attentionInputSchema.shape.loaders,
  dataflows: z.array(dataflowField).min(1, 'choose at least one dataflow').max(dataflows.length),
})

export type ExperimentSpec = z.infer<typeof experimentSpecSchema>

/** The same as it is asked for: auto is replaced before anything is run or kept. */
export const experimentRequestSchema = experimentSpecSchema.extend({
  dataflows: z
    .array(dataflowChoiceField)
    .min(1, 'choose at least one dataflow')
    .max(dataflowChoices.length),
})

export type ExperimentRequest = z.infer<typeof experimentRequestSchema>

/** The runs of an experiment, one for each dataflow; groups mean nothing to FlashAttention. */
export function runInputs(spec: ExperimentSpec): AttentionInput[] {
  return [...new Set(spec.dataflows)].map(dataflow => ({
    kind: 'attention',
    engine: spec.engine ?? 'phase',
    ...(spec.loaders === undefined ? {} : { loaders: spec.loaders }),
    chip: spec.chip,
    workload: spec.workload,
    dataflow,
    mapping: spec.mapping,
  }))
}
