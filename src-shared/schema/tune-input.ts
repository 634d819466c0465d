import { dataflows } from '#shared/mapping/dataflow.ts'
import { dataflowField } from '#shared/schema/attention-input.ts'
import { chipSchema } from '#shared/schema/chip.ts'
import { mappingSchema } from '#shared/schema/mapping.ts'
import { countField } from '#shared/schema/quantity-field.ts'
import { workloadSchema } from '#shared/schema/workload.ts'
import { z } from '#shared/schema/zod.ts'

/** Everything that decides what a search finds, fully resolved. */
export const tuneInputSchema = z
  .strictObject({
    kind: z.literal('tune'),
    engine: z.literal('phase'),
    chip: chipSchema,
    workload: workloadSchema,
    dataflows: z.array(dataflowField).min(1, 'choose at least one dataflow').max(dataflows.length),
    /** What is set here is fixed; the rest is searched. */
    mapping: mappingSchema,
    top: countField(
      {
        label: 'Listed mappings',
        unit: 'mappings',
        help: 'Of the rejected ones, how many are listed with the reason; all where it is left out.',
      },
      { min: 1, max: 16_777_216 },
    ).optional(),
  })
  .meta({ title: 'Tessera mapping search' })

export type TuneInput = z.infer<typeof tuneInputSchema>
