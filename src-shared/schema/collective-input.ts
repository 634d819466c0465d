import type { ResultDocument } from '#shared/results/result-document.ts'
import type { CollectiveResult } from '#shared/results/collective-result.ts'
import { chipSchema } from '#shared/schema/chip.ts'
import { engineField } from '#shared/schema/engine-field.ts'
import { choiceField, countField } from '#shared/schema/quantity-field.ts'
import { z } from '#shared/schema/zod.ts'
import { bytes } from '#shared/units/quantity.ts'
import type {
  BarrierScope,
  Collective,
  CollectiveImplementation,
  CollectiveOperation,
} from '#shared/workload/collective.ts'

export const collectiveOperations = [
  'multicast',
  'sum',
  'max',
] as const satisfies readonly CollectiveOperation[]

export const collectiveImplementations = [
  'hw',
  'sw-tree',
  'sw-seq',
  'sw-pipelined',
] as const satisfies readonly CollectiveImplementation[]

export const barrierScopes = ['participants', 'chip'] as const satisfies readonly BarrierScope[]

export const collectiveTypes = ['fp16', 'fp8'] as const

const elementBytesOf = { fp16: 2, fp8: 1 } as const

/** One collective, over `columns` × `rows` tiles. */
export const collectiveSchema = z
  .strictObject({
    operation: choiceField(
      { label: 'Operation', help: 'multicast: one to all. sum, max: all to one.' },
      collectiveOperations,
    ),
    implementation: choiceField(
      { label: 'Implementation', help: 'hw: in the routers. The others: by the tiles.' },
      collectiveImplementations,
    ),
    bytes: countField(
      { label: 'Size', unit: 'B', help: 'What each tile gets or gives.' },
      { min: 1, max: 2 ** 40 },
    ),
    dtype: choiceField(
      { label: 'Data type', help: 'Of what is added or compared.' },
      collectiveTypes,
    ),
    columns: countField(
      { label: 'Columns', unit: 'tiles', help: 'Tiles along x; 1 for a column.' },
      { min: 1, max: 256 },
    ),
    rows: countField(
      { label: 'Rows', unit: 'tiles', help: 'Tiles along y; 1 for a row.' },
      { min: 1, max: 256 },
    ),
    stages: countField(
      { label: 'Stages', unit: 'pieces', help: 'Of sw-pipelined, and of no other.' },
      { min: 1, max: 65_536 },
    ).optional(),
    barriers: choiceField(
      { label: 'Barriers', help: 'Who meets in the barriers inside the collective.' },
      barrierScopes,
    ),
  })
  .superRefine((collective, context) => {
    const { operation, implementation, bytes: size, dtype, stages } = collective
    const refuse = (field: string, message: string) => {
      context.addIssue({ code: 'custom', path: [field], message })
    }
    const elementBytes = elementBytesOf[dtype]
    if (operation !== 'multicast' && size % elementBytes !== 0) {
      refuse(
        'bytes',
        `must be a multiple of the ${String(elementBytes)} bytes of an ${dtype} element, got ${String(size)}`,
      )
    }
    if (implementation === 'sw-pipelined' && stages === undefined) {
      refuse('stages', 'is missing; sw-pipelined needs the number of pieces')
    }
    if (implementation !== 'sw-pipelined' && stages !== undefined) {
      refuse(
        'stages',
        `is for implementation sw-pipelined only, got ${String(stages)} with ${implementation}`,
      )
    }
    const pieces = Math.max(1, Math.floor(size / elementBytes))
    if (implementation === 'sw-pipelined' && stages !== undefined && stages > pieces) {
      refuse(
        'stages',
        `must be at most ${String(pieces)}, the ${dtype} elements in ${String(size)} bytes, got ${String(stages)}`,
      )
    }
  })
  .meta({ title: 'Tessera collective' })

/** Everything that decides the numbers of a collective, fully resolved. */
export const collectiveInputSchema = z
  .strictObject({
    kind: z.literal('collective'),
    engine: engineField,
    chip: chipSchema,
    collective: collectiveSchema,
  })
  .superRefine(({ chip, collective }, context) => {
    for (const [field, side, tiles] of [
      ['columns', 'x', chip.tiles.x],
      ['rows', 'y', chip.tiles.y],
    ] as const) {
      if (collective[field] <= tiles) continue
      context.addIssue({
        code: 'custom',
        path: ['collective', field],
        message: `must be at most ${String(tiles)}, the chip.tiles.${side} of ${chip.name}, got ${String(collective[field])}`,
      })
    }
  })

export type CollectiveConfig = z.infer<typeof collectiveSchema>
export type CollectiveInput = z.infer<typeof collectiveInputSchema>
export type CollectiveDocument = ResultDocument<CollectiveInput, CollectiveResult>

/** The one place where a collective's JSON becomes SI quantities. */
export const resolveCollective = (config: CollectiveConfig): Collective => ({
  operation: config.operation,
  implementation: config.implementation,
  size: bytes(config.bytes),
  elementBytes: bytes(elementBytesOf[config.dtype]),
  columns: config.columns,
  rows: config.rows,
  stages: config.stages ?? 1,
  barriers: config.barriers,
})
