import { countField } from '#shared/schema/quantity-field.ts'
import { z } from '#shared/schema/zod.ts'

const override = (label: string, unit: string, help: string, max: number) =>
  countField({ label, unit, help }, { min: 1, max }).optional()

/** Overrides of the automatic mapping; what is left out is chosen by the tiling rule. */
export const mappingSchema = z
  .strictObject({
    groupX: override('Group columns', 'tiles', 'Tiles of a group along x (along KV).', 256),
    groupY: override('Group rows', 'tiles', 'Tiles of a group along y (along the queries).', 256),
    sliceRows: override('Slice rows', 'rows', 'Query rows of one tile.', 65_536),
    sliceCols: override('Slice columns', 'columns', 'KV columns of one tile.', 65_536),
    blockRows: override(
      'Block rows',
      'rows',
      'Query rows of a group: group rows × slice rows.',
      16_777_216,
    ),
    blockCols: override('Block columns', 'columns', 'KV columns of a group.', 16_777_216),
  })
  .meta({ title: 'Tessera mapping' })

export type MappingConfig = z.infer<typeof mappingSchema>
