import { bytesPerCycle, bytes, cycles } from '#shared/units/quantity.ts'
import {
  cyclesInNanoseconds,
  fromBits,
  fromGBps,
  fromGHz,
  fromGiB,
  fromKiB,
} from '#shared/units/convert.ts'
import type { Chip } from '#shared/hardware/chip.ts'
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

const channelCount = (edge: string) =>
  countField(
    { label: edge, unit: 'channels', help: `HBM channels on the ${edge.toLowerCase()} edge.` },
    { min: 0, max: 512 },
  )

const cycleField = (label: string, help: string, max = 10_000) =>
  quantityField({ label, unit: 'cycles', help }, { min: 0, max })

/** A tile accelerator as it is written in a file: prefixed units, every field required. */
export const chipSchema = z
  .strictObject({
    schemaVersion: z.literal(SCHEMA_VERSION),
    name: nameField,
    tiles: section(
      { label: 'Tiles', help: 'The mesh of tiles.' },
      {
        x: countField(
          { label: 'Columns', unit: 'tiles', help: 'Tiles along x.' },
          { min: 1, max: 256 },
        ),
        y: countField(
          { label: 'Rows', unit: 'tiles', help: 'Tiles along y.' },
          { min: 1, max: 256 },
        ),
      },
    ),
    clockGHz: quantityField(
      { label: 'Clock', unit: 'GHz', help: 'One clock for the whole chip.' },
      { min: 0.01, max: 10 },
    ),
    matrixEngine: section(
      { label: 'Matrix engine', help: 'Array of fused multiply-add units in each tile.' },
      {
        height: countField(
          { label: 'Height', unit: 'rows', help: 'Rows of compute elements.' },
          { min: 1, max: 1024 },
        ),
        width: countField(
          { label: 'Width', unit: 'columns', help: 'Columns of compute elements.' },
          { min: 1, max: 1024 },
        ),
        pipeline: countField(
          {
            label: 'Pipeline',
            unit: 'registers',
            help: 'Pipeline registers in a compute element; an element holds pipeline + 1 sums.',
          },
          { min: 0, max: 16 },
        ),
        launchCycles: cycleField('Launch', 'To configure, trigger and wait for one operation.'),
      },
    ),
    vectorEngine: section(
      { label: 'Vector engines', help: 'They compute the softmax.' },
      {
        count: countField(
          { label: 'Engines', unit: 'per tile', help: 'Vector engines in each tile.' },
          { min: 1, max: 64 },
        ),
        fpus: countField(
          {
            label: 'FPUs',
            unit: 'per engine',
            help: '64-bit units: four FP16 or eight FP8 lanes each.',
          },
          { min: 1, max: 256 },
        ),
        ports: countField(
          { label: 'Load/store ports', unit: 'per engine', help: '32 bits per port and cycle.' },
          { min: 1, max: 512 },
        ),
        expRate: quantityField(
          {
            label: 'Exponential rate',
            unit: '1',
            help: 'Exponentials per lane and cycle: 1 with an exp unit, about 0.05 in software.',
          },
          { min: 0.001, max: 1 },
        ),
      },
    ),
    l1: section(
      { label: 'L1', help: 'Scratchpad of a tile.' },
      {
        capacityKiB: quantityField(
          { label: 'Capacity', unit: 'KiB', help: 'For operands, scores and softmax state.' },
          { min: 1, max: 1_048_576 },
        ),
        bytesPerCycle: countField(
          { label: 'Bandwidth', unit: 'B/cycle', help: 'One line of this size per cycle.' },
          { min: 4, max: 65_536 },
        ),
      },
    ),
    noc: section(
      { label: 'NoC', help: 'Mesh of links between the tiles, XY routing.' },
      {
        linkBits: countField(
          { label: 'Link width', unit: 'bit', help: 'One flit of this width per cycle and link.' },
          { min: 8, max: 65_536 },
        ).multipleOf(8),
        hopCycles: cycleField('Hop latency', 'From router to router.', 100),
      },
    ),
    hbm: section(
      { label: 'HBM', help: 'Memory channels at the edges of the mesh.' },
      {
        channels: section(
          { label: 'Channels', help: 'Channels on each edge of the mesh.' },
          {
            west: channelCount('West'),
            north: channelCount('North'),
            east: channelCount('East'),
            south: channelCount('South'),
          },
        ),
        channelGBps: quantityField(
          {
            label: 'Channel rate',
            unit: 'GB/s',
            help: 'Peak of one channel (10^9 bytes per second).',
          },
          { min: 0.1, max: 10_000 },
        ),
        latencyNs: quantityField(
          {
            label: 'Latency',
            unit: 'ns',
            help: 'From request to first data at the edge, closed row.',
          },
          { min: 0, max: 100_000 },
        ),
        efficiency: quantityField(
          {
            label: 'Efficiency',
            unit: '1',
            help: 'Fraction of the peak that is sustained before refresh is paid.',
          },
          { min: 0.01, max: 1 },
        ),
        postponedRefreshes: countField(
          {
            label: 'Postponed refreshes',
            unit: 'refreshes',
            help: 'How many a busy channel may put off; JEDEC allows 8.',
          },
          { min: 0, max: 1024 },
        ),
        capacityGiB: quantityField(
          { label: 'Capacity', unit: 'GiB', help: 'Of all channels together.' },
          { min: 0.1, max: 65_536 },
        ),
      },
    ),
    control: section(
      { label: 'Control', help: 'Fixed costs of the control cores, the DMA and the collectives.' },
      {
        barrierBaseCycles: cycleField('Barrier', 'Fixed part of a barrier over a group.'),
        barrierPerTileCycles: cycleField(
          'Barrier per tile',
          'Added for each tile along x and along y of the group.',
        ),
        tileSyncCycles: cycleField('Tile sync', 'Synchronisation of the cores of one tile.'),
        dmaLocalCycles: cycleField('DMA, local', 'Fixed part of a copy or fill inside L1.'),
        dmaRowIssueCycles: cycleField(
          'DMA, per row',
          'A two-dimensional transfer issues one row in this time.',
        ),
        multicastBaseCycles: cycleField(
          'Multicast',
          'Fixed part of a hardware multicast to four tiles.',
        ),
        reductionBaseCycles: cycleField(
          'Reduction',
          'Fixed part of a hardware reduction over four tiles.',
        ),
        collectivePerTileCycles: cycleField(
          'Collective per tile',
          'Added for each tile beyond four.',
        ),
      },
    ),
    kernels: section(
      { label: 'Kernel library', help: 'Conventions of the kernels that run on this chip.' },
      {
        keyTranspose: choiceField(
          {
            label: 'K transposition',
            help: 'engine: after each load, in L1. in-memory: K lies transposed in HBM.',
          },
          ['engine', 'in-memory'],
        ),
        flashRowBlocksPerTile: countField(
          {
            label: 'FlashAttention row blocks',
            unit: 'per tile',
            help: 'A tile cuts its query rows into at least this many blocks.',
          },
          { min: 1, max: 64 },
        ),
      },
    ),
    referenceArtefacts: section(
      {
        label: 'Reference artefacts',
        help: 'Peculiarities of the simulator behind the published figures. Leave off in a new design.',
      },
      {
        fp16OmitsOutputTraffic: switchField({
          label: 'FP16 omits output traffic',
          help: 'Matrix operations in FP16 do not write their result to L1.',
        }),
        partialVectorRowsSkipped: switchField({
          label: 'Partial vector rows skipped',
          help: 'A vector engine drops the rows beyond a multiple of 16.',
        }),
        causalMaskIgnored: switchField({
          label: 'Causal mask ignored',
          help: 'Masked blocks are computed all the same.',
        }),
        rescaleDimensionsSwapped: switchField({
          label: 'Rescale dimensions swapped',
          help: 'One of two asynchronous rescale steps takes the head dimension for the rows.',
        }),
        // Chips that were written down before there was a choice have none.
        sumBeforeProducts: switchField({
          label: 'Sum before products',
          help: 'GEMM with k split: groups sum when all have loaded, even if one still computes; event engine.',
        }).default(false),
      },
    ),
  })
  .superRefine((chip, context) => {
    const { west, north, east, south } = chip.hbm.channels
    if (west + north + east + south === 0) {
      context.addIssue({
        code: 'custom',
        path: ['hbm', 'channels'],
        message: 'there must be at least one HBM channel on some edge, got 0 on all four',
      })
    }
  })
  .meta({ title: 'Tessera chip' })

export type ChipConfig = z.infer<typeof chipSchema>

/** The one place where a chip's JSON units become SI quantities and cycles. */
export function resolveChip(config: ChipConfig): Chip {
  const clock = fromGHz(config.clockGHz)
  const { matrixEngine, vectorEngine, control, hbm } = config
  return {
    tiles: config.tiles,
    clock,
    matrixEngine: {
      height: matrixEngine.height,
      width: matrixEngine.width,
      pipeline: matrixEngine.pipeline,
      launch: cycles(matrixEngine.launchCycles),
    },
    vectorEngine: {
      count: vectorEngine.count,
      fpus: vectorEngine.fpus,
      loadStore: bytesPerCycle(vectorEngine.ports * fromBits(32)),
      expRate: vectorEngine.expRate,
    },
    l1: {
      capacity: fromKiB(config.l1.capacityKiB),
      bandwidth: bytesPerCycle(config.l1.bytesPerCycle),
    },
    noc: { flit: bytes(fromBits(config.noc.linkBits)), hop: cycles(config.noc.hopCycles) },
    hbm: {
      channels: hbm.channels,
      channelRate: fromGBps(hbm.channelGBps),
      latency: cyclesInNanoseconds(hbm.latencyNs, clock),
      efficiency: hbm.efficiency,
      postponedRefreshes: hbm.postponedRefreshes,
      capacity: fromGiB(hbm.capacityGiB),
    },
    control: {
      barrierBase: cycles(control.barrierBaseCycles),
      barrierPerTile: cycles(control.barrierPerTileCycles),
      tileSync: cycles(control.tileSyncCycles),
      dmaLocal: cycles(control.dmaLocalCycles),
      dmaRowIssue: cycles(control.dmaRowIssueCycles),
      multicastBase: cycles(control.multicastBaseCycles),
      reductionBase: cycles(control.reductionBaseCycles),
      collectivePerTile: cycles(control.collectivePerTileCycles),
    },
    kernels: config.kernels,
    artefacts: config.referenceArtefacts,
  }
}
