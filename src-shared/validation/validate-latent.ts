import deepSeek from '#resources/published/mla-deepseek-2025.json' with { type: 'json' }
import slides from '#resources/published/flatmla-decode-2025.json' with { type: 'json' }
import runs from '#resources/published/mla-runs-2026.json' with { type: 'json' }
import { dataflows, type Dataflow } from '#shared/mapping/dataflow.ts'
import type { AttentionResult } from '#shared/results/attention-result.ts'
import type { AttentionDocument } from '#shared/schema/attention-document.ts'
import type { ChipConfig } from '#shared/schema/chip.ts'
import type { Engine } from '#shared/schema/engine-field.ts'
import type { MappingConfig } from '#shared/schema/mapping.ts'
import { SCHEMA_VERSION } from '#shared/schema/schema-version.ts'
import type { WorkloadConfig } from '#shared/schema/workload.ts'
import { estimateAttention } from '#shared/simulate/run-attention.ts'
import { meshOf, presetChip } from '#shared/validation/published-input.ts'
import {
  compared,
  comparedInPoints,
  validationSet,
  type ValidationSet,
} from '#shared/validation/validation-set.ts'

const HEADS = 128

/** One kernel of absorbed MLA with the dimensions of DeepSeek. */
function simulate(
  engine: Engine,
  dataflow: Dataflow,
  chip: ChipConfig,
  shape: Pick<WorkloadConfig, 'batch' | 'speculativeLength' | 'kvLength' | 'dtype'>,
  mapping: MappingConfig = {},
): AttentionDocument {
  return estimateAttention({
    kind: 'attention',
    engine,
    chip,
    dataflow,
    mapping,
    workload: {
      schemaVersion: SCHEMA_VERSION,
      name: 'published',
      variant: 'mla',
      phase: 'decode',
      heads: HEADS,
      kvHeads: 1,
      headDim: 128,
      queryLength: 1,
      causal: false,
      ...shape,
    },
  })
}

interface LatentRun {
  readonly name: string
  readonly document: AttentionDocument
  readonly cycles: number
  readonly hbmReadBytes: number | undefined
  readonly hbmWriteBytes: number | undefined
}

function latentRuns(engine: Engine): LatentRun[] {
  return runs.rows.map(row => {
    const cell = (column: string) => row[runs.columns.indexOf(column)] ?? undefined
    const count = (column: string) => Number(cell(column))
    const optional = (column: string) => (cell(column) === undefined ? undefined : count(column))
    const dataflow = dataflows.find(id => id === cell('dataflow'))
    if (dataflow === undefined) throw new Error(`unknown dataflow ${String(cell('dataflow'))}`)
    const mesh = count('mesh')
    const batch = count('batch')
    const speculativeLength = count('speculativeLength')
    const kvLength = count('kvLength')
    const group = { groupX: count('groupX'), groupY: count('groupY') }
    const chip = { ...meshOf(mesh, count('channels')), clockGHz: count('clockGHz') }
    return {
      name:
        `${dataflow} ${String(mesh)}x${String(mesh)}, ${String(count('channels'))} ch, ` +
        `group ${String(group.groupX)}x${String(group.groupY)}, batch ${String(batch)}, ` +
        `sp ${String(speculativeLength)}, KV ${String(kvLength)}`,
      document: simulate(
        engine,
        dataflow,
        chip,
        { batch, speculativeLength, kvLength, dtype: 'fp8' },
        { ...group, sliceRows: 128, sliceCols: 128 },
      ),
      cycles: count('cycles'),
      hbmReadBytes: optional('hbmReadBytes'),
      hbmWriteBytes: optional('hbmWriteBytes'),
    }
  })
}

function deepSeekLayer(
  engine: Engine,
  dataflow: Dataflow,
  batch: number,
  speculativeLength: number,
) {
  const shape = { batch, speculativeLength, kvLength: 4096, dtype: 'fp8' } as const
  return simulate(engine, dataflow, presetChip('flat-2026-fp8'), shape).result
}

function deepSeekRows(engine: Engine) {
  const layers = new Map<string, AttentionResult>()
  const layer = (dataflow: Dataflow, batch: number, speculativeLength: number) => {
    const id = `${dataflow} ${String(batch)} ${String(speculativeLength)}`
    const result = layers.get(id) ?? deepSeekLayer(engine, dataflow, batch, speculativeLength)
    layers.set(id, result)
    return result
  }
  return deepSeek.rows.map(([quantity, batch, speculativeLength, value]) => {
    const at = [Number(batch), Number(speculativeLength)] as const
    const flat = layer('flat-async', ...at)
    const name = `${String(quantity)}, batch ${String(batch)}, sp ${String(speculativeLength)}`
    if (quantity === 'matrix utilisation, %') {
      return comparedInPoints(name, flat.matrixUtilization * 100, Number(value))
    }
    if (quantity === 'runtime, µs') return compared(name, 'µs', flat.seconds * 1e6, Number(value))
    const flash = layer('flash-mla', ...at)
    return compared(name, 'x', flash.seconds / flat.seconds, Number(value))
  })
}

/** June 2025: FP16 at 1 GHz with 4 TB/s, 2^27 pairs of a query row and a key in all. */
function slideRow(speculativeLength: number, kvLength: number, cycles: number) {
  const batch = 2 ** 27 / (HEADS * speculativeLength * kvLength)
  const chip = { ...presetChip('flat-2026-4tb'), clockGHz: 1 }
  const shape = { batch, speculativeLength, kvLength, dtype: 'fp16' } as const
  const { result } = simulate('phase', 'flat-hc', chip, shape)
  return compared(`KV ${String(kvLength)}`, 'cycles', result.cycles, cycles)
}

/** Bytes that the phase engine counts, or that the channels of the event engine served. */
function hbmBytes({ result, event }: AttentionDocument): { read: number; written: number } {
  const sum = (series: readonly number[]) => series.reduce((total, count) => total + count, 0)
  return event === undefined
    ? { read: result.hbmReadBytes, written: result.hbmWriteBytes }
    : { read: sum(event.channels.readBytes), written: sum(event.channels.writtenBytes) }
}

/** Decode of MLA with absorbed projections: FlatMLA and FlashMLA, with one engine. */
export function validateLatent(engine: Engine): ValidationSet[] {
  const all = latentRuns(engine)
  const isEvent = engine === 'event'
  const title = (text: string) => `${text}${isEvent ? ', event engine' : ''}`
  return [
    validationSet({
      id: isEvent ? 'mla-runs-event-2026' : 'mla-runs-2026',
      title: title('FlatMLA and FlashMLA on the reference simulator'),
      source: runs.source,
      target: { meanAbsoluteError: isEvent ? 0.03 : 0.06, largestError: 0.15 },
      rows: all.map(({ name, document, cycles }) =>
        compared(name, 'cycles', document.result.cycles, cycles),
      ),
    }),
    validationSet({
      id: isEvent ? 'mla-hbm-traffic-runs-event-2026' : 'mla-hbm-traffic-runs-2026',
      title: title('FlatMLA and FlashMLA on the reference simulator: HBM traffic'),
      source: runs.source,
      target: { meanAbsoluteError: 0.001, largestError: 0.001 },
      rows: all.flatMap(({ name, document, hbmReadBytes, hbmWriteBytes }) => {
        if (hbmReadBytes === undefined || hbmWriteBytes === undefined) return []
        const { read, written } = hbmBytes(document)
        return [
          compared(`${name}: read`, 'B', read, hbmReadBytes),
          compared(`${name}: written`, 'B', written, hbmWriteBytes),
        ]
      }),
    }),
    validationSet({
      id: isEvent ? 'mla-deepseek-event-2025' : 'mla-deepseek-2025',
      title: title('Attention of a DeepSeek-v3 decode layer'),
      source: deepSeek.source,
      // The speed-up depends on where the FlashMLA of the paper puts its 256 busy tiles: not printed.
      target: { meanAbsoluteError: 0.08, largestError: 0.2 },
      rows: deepSeekRows(engine),
    }),
  ]
}

/** FlatMLA on slides of June 2025, by the phase engine: the batches are not printed. */
export function validateLatentSlides(): ValidationSet {
  return validationSet({
    id: 'flatmla-decode-2025',
    title: 'FlatMLA decode of June 2025, synchronous, assumed batches',
    source: slides.source,
    target: { meanAbsoluteError: 0.08, largestError: 0.15 },
    rows: slides.rows.map(([speculativeLength = 0, kvLength = 0, cycles = 0]) =>
      slideRow(speculativeLength, kvLength, cycles),
    ),
  })
}
