import type { SummaOverrides } from '#shared/mapping/summa-grid.ts'
import type { GemmResult } from '#shared/results/gemm-result.ts'
import type { ResultDocument } from '#shared/results/result-document.ts'
import { chipSchema } from '#shared/schema/chip.ts'
import { engineField } from '#shared/schema/engine-field.ts'
import { choiceField, countField } from '#shared/schema/quantity-field.ts'
import { z } from '#shared/schema/zod.ts'
import type { GemmWorkload } from '#shared/workload/gemm.ts'

const side = (label: string, help: string) =>
  countField({ label, unit: 'elements', help }, { min: 1, max: 16_777_216 })

/** Independent products Z[m × n] = X[m × k] · W[k × n]. */
export const gemmWorkloadSchema = z
  .strictObject({
    m: side('Rows', 'Rows of X and Z.'),
    n: side('Columns', 'Columns of W and Z.'),
    k: side('Contraction', 'Columns of X, rows of W.'),
    batch: countField(
      {
        label: 'Batch',
        unit: 'products',
        help: 'Independent products, such as one for each head.',
      },
      { min: 1, max: 65_536 },
    ),
    dtype: choiceField({ label: 'Data type', help: 'Of X, W and Z.' }, ['fp16', 'fp8']),
  })
  .meta({ title: 'Tessera GEMM' }) satisfies z.ZodType<GemmWorkload>

const override = (label: string, unit: string, help: string, max: number) =>
  countField({ label, unit, help }, { min: 1, max }).optional()

/** Overrides of the automatic tiling; what is left out is chosen by the rule. */
export const gemmMappingSchema = z
  .strictObject({
    tileM: override('Tile rows', 'rows', 'Rows of Z of one tile.', 65_536),
    tileN: override('Tile columns', 'columns', 'Columns of Z of one tile.', 65_536),
    tileK: override('Step', 'elements', 'Contraction of one step.', 65_536),
    groupX: override('Group columns', 'tiles', 'Tiles of a group along x (along n).', 256),
    groupY: override('Group rows', 'tiles', 'Tiles of a group along y (along m).', 256),
    groups: override('Groups', 'groups', 'Groups that share the work.', 65_536),
    split: choiceField({ label: 'Split', help: 'What the groups share out.' }, [
      'none',
      'k',
      'n',
      'batch',
    ]).optional(),
  })
  .meta({ title: 'Tessera GEMM mapping' }) satisfies z.ZodType<SummaOverrides>

/** Everything that decides the numbers of one GEMM, fully resolved. */
export const gemmInputSchema = z.strictObject({
  kind: z.literal('gemm'),
  engine: engineField,
  chip: chipSchema,
  workload: gemmWorkloadSchema,
  mapping: gemmMappingSchema,
})

export type GemmInput = z.infer<typeof gemmInputSchema>

export type GemmDocument = ResultDocument<GemmInput, GemmResult>
