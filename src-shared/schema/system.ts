import type { Wafer } from '#shared/hardware/wafer.ts'
import { chipSchema, resolveChip } from '#shared/schema/chip.ts'
import {
  choiceField,
  countField,
  nameField,
  quantityField,
  section,
  switchField,
} from '#shared/schema/quantity-field.ts'
import { SCHEMA_VERSION } from '#shared/schema/schema-version.ts'
import { z } from '#shared/schema/zod.ts'
import { fromGBps, fromGHz } from '#shared/units/convert.ts'
import { bytes, cycles } from '#shared/units/quantity.ts'

export const d2dTopologies = ['mesh', 'torus', 'flattened-butterfly', 'switch'] as const

const shape = {
  schemaVersion: z.literal(SCHEMA_VERSION),
  name: nameField,
  chips: section(
    { label: 'Chips', help: 'The grid of chips.' },
    {
      x: countField(
        { label: 'Columns', unit: 'chips', help: 'Chips along x.' },
        { min: 1, max: 32 },
      ),
      y: countField({ label: 'Rows', unit: 'chips', help: 'Chips along y.' }, { min: 1, max: 32 }),
    },
  ),
  d2d: section(
    { label: 'Die to die', help: 'Links between the chips.' },
    {
      topology: choiceField(
        {
          label: 'Topology',
          help: 'mesh: neighbours. torus: also the ends of rows and columns. flattened-butterfly: every two chips of a row or a column. switch: each chip with one central switch.',
        },
        d2dTopologies,
      ),
      linkGBps: quantityField(
        {
          label: 'Link bandwidth',
          unit: 'GB/s',
          help: 'Of each link in each direction (10^9 bytes per second).',
        },
        { min: 0.1, max: 1_000_000 },
      ),
      linkLatencyNs: quantityField(
        { label: 'Link latency', unit: 'ns', help: 'From one router to the next.' },
        { min: 0, max: 1_000_000 },
      ),
      portLatencyNs: quantityField(
        { label: 'Port latency', unit: 'ns', help: 'Between a chip and its router, one way.' },
        { min: 0, max: 1_000_000 },
      ),
      portLinks: quantityField(
        {
          label: 'Port width',
          unit: 'links',
          help: 'Links that a chip could keep busy through its port, in each direction.',
        },
        { min: 0.1, max: 64 },
      ),
      flitBytes: countField(
        {
          label: 'Flit',
          unit: 'B',
          help: 'What a link moves at once; a partly filled flit takes as long.',
        },
        { min: 1, max: 1_048_576 },
      ),
      fifoFlits: countField(
        {
          label: 'Receive FIFO',
          unit: 'flits',
          help: 'Flits that the end of a link can hold: the credits of the sender.',
        },
        { min: 1, max: 1_048_576 },
      ),
      creditBatch: countField(
        {
          label: 'Credit batch',
          unit: 'flits',
          help: 'Flits that the receiver counts before it returns their credits.',
        },
        { min: 1, max: 1_048_576 },
      ),
      clockGHz: quantityField(
        { label: 'Clock', unit: 'GHz', help: 'Of routers and links.' },
        { min: 0.01, max: 100 },
      ),
      routerCycles: countField(
        { label: 'Router', unit: 'cycles', help: 'Pipeline of a router, paid at each hop.' },
        { min: 1, max: 10_000 },
      ),
    },
  ),
  referenceArtefacts: section(
    {
      label: 'Reference artefacts',
      help: 'Peculiarities of the simulator behind the published figures. Leave off in a new design.',
    },
    {
      wholeCyclesPerFlit: switchField({
        label: 'Whole cycles per flit',
        help: 'A flit takes a whole number of clock cycles on a link: 160 GB/s become 146 GB/s.',
      }),
      endsWithAcknowledgement: switchField({
        label: 'Ends with acknowledgement',
        help: 'An exchange ends when its last acknowledgement is back.',
      }),
      combineLikeDispatch: switchField({
        label: 'Combine like dispatch',
        help: 'The combine is timed as another dispatch: same direction, same bytes.',
      }),
      ownChipThroughRouter: switchField({
        label: 'Own chip through router',
        help: 'What a chip sends to itself passes through its router and both ports.',
      }),
    },
  ),
}

type Refusal = (path: PropertyKey[], message: string) => void

function checkCredits(
  { creditBatch, fifoFlits }: { readonly creditBatch: number; readonly fifoFlits: number },
  refuse: Refusal,
): void {
  if (creditBatch > fifoFlits) {
    refuse(
      ['d2d', 'creditBatch'],
      `must be at most ${String(fifoFlits)}, the d2d.fifoFlits, got ${String(creditBatch)}: no credit would ever come back`,
    )
  }
}

/** A system of chips as it is simulated: prefixed units, the chip written out. */
export const systemSchema = z
  .strictObject({ ...shape, chip: chipSchema })
  .superRefine((system, context) => {
    checkCredits(system.d2d, (path, message) => {
      context.addIssue({ code: 'custom', path, message })
    })
  })
  .meta({ title: 'Tessera system' })

/** A system as it may stand in a file: its chip is the id of a preset or written out. */
export const systemFileSchema = z
  .strictObject({
    ...shape,
    chip: z.union([z.string().min(1), chipSchema]).meta({
      label: 'Chip',
      unit: '',
      help: 'The id of a chip preset, or a whole chip.',
    }),
  })
  .superRefine((system, context) => {
    checkCredits(system.d2d, (path, message) => {
      context.addIssue({ code: 'custom', path, message })
    })
  })
  .meta({ title: 'Tessera system file' })

export type SystemConfig = z.infer<typeof systemSchema>

/** The one place where a system's JSON units become SI quantities and cycles of its links. */
export function resolveSystem(config: SystemConfig): Wafer {
  const { d2d } = config
  return {
    chip: resolveChip(config.chip),
    columns: config.chips.x,
    rows: config.chips.y,
    d2d: {
      topology: d2d.topology,
      clock: fromGHz(d2d.clockGHz),
      bandwidth: fromGBps(d2d.linkGBps),
      // A nanosecond at one gigahertz is one cycle, exactly.
      latency: cycles(d2d.linkLatencyNs * d2d.clockGHz),
      portLatency: cycles(d2d.portLatencyNs * d2d.clockGHz),
      portLinks: d2d.portLinks,
      router: cycles(d2d.routerCycles),
      flit: bytes(d2d.flitBytes),
      fifoFlits: d2d.fifoFlits,
      creditBatch: d2d.creditBatch,
    },
    artefacts: config.referenceArtefacts,
  }
}
