import type { Chip } from '#shared/hardware/chip.ts'
import type { ClosedRows } from '#shared/models/attention/closed-rows.ts'
import { isFlashMla, type Dataflow } from '#shared/mapping/dataflow.ts'
import { groupCollectives } from '#shared/models/attention/group-collectives.ts'
import type { KernelShape } from '#shared/models/attention/kernel-shape.ts'
import {
  latentCosts,
  type KeyChunkCosts,
  type ValueChunkCosts,
} from '#shared/models/attention/latent-costs.ts'
import { keepsWholeQuery } from '#shared/models/attention/latent-occupancy.ts'
import { latentLoads } from '#shared/models/attention/latent-loads.ts'
import type { TileCosts } from '#shared/models/attention/tile-costs.ts'
import { segment, type Segment } from '#shared/models/attention/timeline.ts'
import { L1_CONTENTION_PER_PHASE_CYCLES } from '#shared/models/constants.ts'
import type { SoftmaxSteps } from '#shared/models/engines/vector-engine.ts'
import type { Bytes } from '#shared/units/quantity.ts'

/** A chunk of the contraction of the scores: its matrix operation, and what brings its operands. */
export interface KeyChunk {
  readonly matrix: Segment
  readonly load: readonly Segment[]
}

/** A chunk of the output: what brings V, and what follows once it is complete. */
export interface ValueChunk {
  readonly matrix: Segment
  readonly load: readonly Segment[]
  readonly rescale: Segment
  readonly divide: Segment
  /** Sum over the row of tiles. */
  readonly reduce: readonly Segment[]
  readonly store: readonly Segment[]
}

/** The steps of absorbed MLA on one group, each alone; the kernels say what runs beside what. */
export interface LatentSteps {
  readonly costs: TileCosts
  /** The whole of Q where a tile keeps it for all column blocks, else nothing. */
  readonly loadWholeQuery: readonly Segment[]
  readonly keys: readonly KeyChunk[]
  readonly values: readonly ValueChunk[]
  readonly barrier: Segment
  /** What each matrix operation costs besides its busy time. */
  readonly launch: readonly Segment[]
  /** Softmax of a slice on all vector engines of a tile, and on one of them. */
  readonly softmax: SoftmaxSteps
  readonly softmaxOfOneEngine: SoftmaxSteps
  /** Reduction of a state vector over the row of tiles, and its update. */
  readonly state: (component: 'max-reduction' | 'sum-reduction', name: string) => Segment[]
}

/**
 * The steps of a group that computes absorbed MLA.
 *
 * K is the latent with the rope part, V the latent alone; Q, K and V come in chunks, as
 * two-dimensional transfers of one short row per query or key. A tile of FlashMLA loads all of them
 * by itself and shares nothing.
 *
 * @param concurrentGroups groups that use HBM at the same time
 */
export function latentSteps(
  dataflow: Dataflow,
  shape: KernelShape,
  concurrentGroups: number,
  chip: Chip,
  closed: ClosedRows,
): LatentSteps {
  const costs = latentCosts(shape, chip)
  const { slice } = costs
  const { element } = slice
  const group = groupCollectives(
    dataflow,
    isFlashMla(dataflow) ? { groupX: 1, groupY: 1 } : shape,
    element,
    chip,
  )
  const sharesRows = shape.groupX > 1 && !isFlashMla(dataflow)
  const sharesColumns = shape.groupY > 1 && !isFlashMla(dataflow)
  const barrier = segment('other', group.barrier, 'barrier of the group')
  const loads = latentLoads(dataflow, shape, concurrentGroups, chip, closed)
  const ofColumns = (size: Bytes, operand: string): Segment =>
    segment('multicast', sharesColumns ? group.columnMulticast(size) : 0, `multicast of ${operand}`)

  const queryChunk = ({ width, query }: KeyChunkCosts): Segment[] => [
    segment('hbm', loads.query(width), 'load of Q'),
    segment('multicast', sharesRows ? group.rowMulticast(query) : 0, 'multicast of Q'),
  ]
  const keyChunk = (chunk: KeyChunkCosts): KeyChunk => ({
    matrix: segment('matrix', chunk.matrix, 'Q · Kᵀ of a chunk'),
    load: [
      ...(keepsWholeQuery(dataflow) ? [] : queryChunk(chunk)),
      segment('hbm', loads.key(chunk.width), 'load of K'),
      segment('other', chunk.transpose, 'transposition of K'),
      ofColumns(chunk.key, 'K'),
    ],
  })
  const valueChunk = (chunk: ValueChunkCosts): ValueChunk => ({
    matrix: segment('matrix', chunk.matrix, 'P · V of a chunk'),
    load: [segment('hbm', loads.value(chunk.width), 'load of V'), ofColumns(chunk.value, 'V')],
    rescale: segment('vector', chunk.rescale, 'rescaling of a chunk of O'),
    divide: segment('vector', chunk.divide, 'division of a chunk of O'),
    reduce: sharesRows
      ? [segment('sum-reduction', group.rowReduction(chunk.output), 'reduction of O'), barrier]
      : [],
    store: [
      segment('hbm', loads.outputStore(chunk.width), 'store of O'),
      segment('other', chunk.clear, 'clearing of O'),
    ],
  })

  return {
    costs: slice,
    loadWholeQuery: keepsWholeQuery(dataflow)
      ? [segment('hbm', loads.wholeQuery, 'load of Q')]
      : [],
    keys: costs.keys.map(keyChunk),
    values: costs.values.map(valueChunk),
    barrier,
    launch: [
      segment('other', slice.launch, 'launch of the matrix engine'),
      segment('other', 2 * slice.sync, 'synchronisation of the tile'),
      segment('other', L1_CONTENTION_PER_PHASE_CYCLES, 'contention for L1'),
    ],
    softmax: costs.softmax,
    softmaxOfOneEngine: costs.softmaxOfOneEngine,
    state: (component, name) => [
      ...(sharesRows
        ? [
            barrier,
            segment(component, group.rowReduction(slice.stateVector), `reduction of ${name}`),
            barrier,
            segment('multicast', group.rowMulticast(slice.stateVector), `multicast of ${name}`),
            barrier,
          ]
        : []),
      segment('vector', slice.softmax.stateUpdate, `update of ${name}`),
    ],
  }
}
