import fc from 'fast-check'
import { dataflowsOf } from '#shared/mapping/dataflow.ts'
import { attentionInputSchema, type AttentionInput } from '#shared/schema/attention-input.ts'
import type { ChipConfig } from '#shared/schema/chip.ts'
import type { MappingConfig } from '#shared/schema/mapping.ts'
import { SCHEMA_VERSION } from '#shared/schema/schema-version.ts'
import type { WorkloadConfig } from '#shared/schema/workload.ts'

/** Mostly values that a design would have, and some from the whole range and from its ends. */
const count = (min: number, max: number, typical: readonly number[]) =>
  fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...typical) },
    { weight: 1, arbitrary: fc.integer({ min, max }) },
    { weight: 1, arbitrary: fc.constantFrom(min, max) },
  )

const quantity = (min: number, max: number, typical: readonly number[]) =>
  fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...typical) },
    { weight: 1, arbitrary: fc.double({ min, max, noNaN: true }) },
    { weight: 1, arbitrary: fc.constantFrom(min, max) },
  )

const controlCycles = (typical: number) => quantity(0, 10_000, [typical])

const channels = fc
  .record({
    west: count(0, 512, [0, 0, 4, 16]),
    north: count(0, 512, [0, 0, 3]),
    east: count(0, 512, [0, 0, 5]),
    south: count(0, 512, [0, 1, 4, 16, 32, 64]),
  })
  .map(edges =>
    edges.west + edges.north + edges.east + edges.south > 0 ? edges : { ...edges, south: 1 },
  )

/** Valid chips, from one tile to 256 × 256, odd meshes and memory on any edges included. */
export const arbitraryChip: fc.Arbitrary<ChipConfig> = fc.record({
  schemaVersion: fc.constant(SCHEMA_VERSION),
  name: fc.constant('Random chip'),
  tiles: fc.record({
    x: count(1, 256, [1, 3, 4, 7, 8, 32]),
    y: count(1, 256, [1, 2, 4, 5, 8, 32]),
  }),
  clockGHz: quantity(0.01, 10, [0.965, 1, 1.93]),
  matrixEngine: fc.record({
    height: count(1, 1024, [12, 16, 32, 64]),
    width: count(1, 1024, [4, 16, 32]),
    pipeline: count(0, 16, [0, 1, 3]),
    launchCycles: controlCycles(21),
  }),
  vectorEngine: fc.record({
    count: count(1, 64, [1, 3, 4]),
    fpus: count(1, 256, [4, 16]),
    ports: count(1, 512, [8, 32]),
    expRate: quantity(0.001, 1, [0.05, 1]),
  }),
  l1: fc.record({
    capacityKiB: quantity(1, 1_048_576, [64, 128, 384, 1536]),
    bytesPerCycle: count(4, 65_536, [64, 512]),
  }),
  noc: fc.record({
    linkBits: count(1, 8192, [32, 128]).map(bytes => bytes * 8),
    hopCycles: quantity(0, 100, [1, 2.5]),
  }),
  hbm: fc.record({
    channels,
    channelGBps: quantity(0.1, 10_000, [64, 53.78]),
    latencyNs: quantity(0, 100_000, [150]),
    efficiency: quantity(0.01, 1, [0.92, 0.98]),
    postponedRefreshes: count(0, 1024, [8, 128]),
    capacityGiB: quantity(0.1, 65_536, [64]),
  }),
  control: fc.record({
    barrierBaseCycles: controlCycles(72),
    barrierPerTileCycles: controlCycles(2.67),
    tileSyncCycles: controlCycles(3.2),
    dmaLocalCycles: controlCycles(23),
    dmaRowIssueCycles: controlCycles(3),
    multicastBaseCycles: controlCycles(38),
    reductionBaseCycles: controlCycles(39),
    collectivePerTileCycles: controlCycles(1.1),
  }),
  kernels: fc.record({
    keyTranspose: fc.constantFrom('engine', 'in-memory'),
    flashRowBlocksPerTile: count(1, 64, [1, 2]),
  }),
  referenceArtefacts: fc.record({
    fp16OmitsOutputTraffic: fc.boolean(),
    partialVectorRowsSkipped: fc.boolean(),
    causalMaskIgnored: fc.boolean(),
    rescaleDimensionsSwapped: fc.boolean(),
    sumBeforeProducts: fc.boolean(),
  }),
})

const maybe = (values: fc.Arbitrary<number>) => fc.option(values, { nil: undefined, freq: 4 })

/** Query heads and KV heads that go together. */
const headSplit = fc.oneof(
  count(1, 4096, [1, 2, 3, 16, 32]).map(heads => ({
    variant: 'mha' as const,
    heads,
    kvHeads: heads,
  })),
  count(1, 4096, [1, 2, 12, 128]).map(heads => ({ variant: 'mqa' as const, heads, kvHeads: 1 })),
  fc
    .tuple(count(1, 64, [1, 2, 8]), count(1, 64, [1, 3, 4, 16]))
    .map(([kvHeads, shared]) => ({ variant: 'gqa' as const, heads: kvHeads * shared, kvHeads })),
  fc
    .record({
      heads: count(1, 4096, [1, 3, 16, 128]),
      latentDim: maybe(count(1, 8192, [64, 200, 512])),
      ropeDim: maybe(count(1, 8192, [32, 64])),
      valueDim: maybe(count(1, 8192, [128])),
    })
    .map(({ heads, ...dimensions }) => ({
      variant: 'mla' as const,
      heads,
      kvHeads: 1,
      ...withoutUndefined(dimensions),
    })),
)

const phaseLength = fc.oneof(
  fc.constant({ phase: 'decode' as const, queryLength: 1 }),
  count(1, 16_777_216, [1, 2, 100, 127, 512, 1000, 4096]).map(queryLength => ({
    phase: 'prefill' as const,
    queryLength,
  })),
)

/** Valid workloads of all variants, ragged and empty KV included. */
export const arbitraryWorkload: fc.Arbitrary<WorkloadConfig> = fc
  .record({
    split: headSplit,
    length: phaseLength,
    batch: count(1, 65_536, [1, 2, 5, 32]),
    headDim: count(1, 4096, [64, 80, 128]),
    kvLength: count(0, 16_777_216, [0, 1, 100, 512, 1000, 4096]),
    speculativeLength: count(1, 64, [1, 1, 2]),
    causal: fc.boolean(),
    dtype: fc.constantFrom('fp16' as const, 'fp8' as const),
  })
  .map(({ split, length, ...rest }) => ({
    schemaVersion: SCHEMA_VERSION,
    name: 'Random workload',
    ...split,
    ...length,
    ...rest,
  }))

/** Mappings that a person might ask for: mostly the automatic one, else any that parses. */
export const arbitraryMapping: fc.Arbitrary<MappingConfig> = fc.oneof(
  { weight: 2, arbitrary: fc.constant({}) },
  {
    weight: 1,
    arbitrary: fc
      .record({
        groupX: maybe(count(1, 256, [1, 2, 3, 4, 8])),
        groupY: maybe(count(1, 256, [1, 2, 3, 4, 8])),
        sliceRows: maybe(count(1, 65_536, [1, 16, 48, 64, 128])),
        sliceCols: maybe(count(1, 65_536, [1, 16, 48, 64, 128])),
        blockRows: maybe(count(1, 16_777_216, [64, 128, 512])),
        blockCols: maybe(count(1, 16_777_216, [64, 128, 512])),
      })
      .map(withoutUndefined),
  },
)

function withoutUndefined(
  fields: Readonly<Record<string, number | undefined>>,
): Readonly<Record<string, number>> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
}

/** Inputs that pass the schema; whether the mapping fits the chip is up to the model. */
export const arbitraryInput: fc.Arbitrary<AttentionInput> = fc
  .record({
    chip: arbitraryChip,
    workload: arbitraryWorkload,
    mapping: arbitraryMapping,
  })
  .chain(parts =>
    fc
      .constantFrom(...dataflowsOf(parts.workload))
      .map(dataflow =>
        attentionInputSchema.parse({ kind: 'attention', engine: 'phase', dataflow, ...parts }),
      ),
  )
