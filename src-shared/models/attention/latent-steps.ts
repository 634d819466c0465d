import type { Chip } from '#shared/hardware/chip.ts'
import { isFlashMla, type Dataflow } from '#shared/mapping/dataflow.ts'
import { groupCollectives } from '#shared/models/attention/group-collectives.ts'
import type { KernelShape } from '#shared/models/attention/kernel-shape.ts'
import { latentChunks } from '#shared/models/attention/latent-chunks.ts'
import { keepsWholeQuery } from '#shared/models/attention/latent-occupancy.ts'
import { latentLoads } from '#shared/models/attention/latent-loads.ts'
import { matrixContext, sliceCosts, type TileCosts } from '#shared/models/attention/tile-costs.ts'
import { segment, type Segment } from '#shared/models/attention/timeline.ts'
import { L1_CONTENTION_PER_PHASE_CYCLES } from '#shared/models/constants.ts'
import { matrixOperation } from '#shared/models/engines/matrix-engine.ts'
import { transpose } from '#shared/models/engines/transpose-engine.ts'
import { softmaxSteps, type SoftmaxSteps } from '#shared/models/engines/vector-engine.ts'
import { bytes } from '#shared/units/quantity.ts'

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
): LatentSteps {
  const { workload, sliceRows, sliceCols } = shape
  const costs = sliceCosts(shape, chip)
  const { element } = costs
  const context = matrixContext(chip, workload.dtype)
  const group = groupCollectives(
    dataflow,
    isFlashMla(dataflow) ? { groupX: 1, groupY: 1 } : shape,
    element,
    chip,
  )
  const sharesRows = shape.groupX > 1 && !isFlashMla(dataflow)
  const sharesColumns = shape.groupY > 1 && !isFlashMla(dataflow)
  const barrier = segment('other', group.barrier, 'barrier of the group')
  const loads = latentLoads(dataflow, shape, concurrentGroups, chip)
  const chunks = latentChunks(workload)
  const softmaxOn = (count: number, width: number) =>
    softmaxSteps(sliceRows, sliceCols, width, {
      engine: { ...chip.vectorEngine, count },
      elementBytes: element,
      partialRowsSkipped: chip.artefacts.partialVectorRowsSkipped,
    })
  const ofColumns = (width: number, operand: string): Segment =>
    segment(
      'multicast',
      sharesColumns ? group.columnMulticast(bytes(sliceCols * width * element)) : 0,
      `multicast of ${operand}`,
    )

  const queryChunk = (width: number): Segment[] => [
    segment('hbm', loads.query(width), 'load of Q'),
    segment(
      'multicast',
      sharesRows ? group.rowMulticast(bytes(sliceRows * width * element)) : 0,
      'multicast of Q',
    ),
  ]
  const keyChunk = (width: number): KeyChunk => ({
    matrix: segment(
      'matrix',
      matrixOperation({ rows: sliceRows, contraction: width, columns: sliceCols }, context),
      'Q · Kᵀ of a chunk',
    ),
    load: [
      ...(keepsWholeQuery(dataflow) ? [] : queryChunk(width)),
      segment('hbm', loads.key(width), 'load of K'),
      segment(
        'other',
        chip.kernels.keyTranspose === 'engine'
          ? transpose(sliceCols, width, chip.l1.bandwidth, element)
          : 0,
        'transposition of K',
      ),
      ofColumns(width, 'K'),
    ],
  })
  const valueChunk = (width: number): ValueChunk => {
    const output = bytes(sliceRows * width * element)
    const { rescale, divide } = softmaxOn(chip.vectorEngine.count, width)
    return {
      matrix: segment(
        'matrix',
        matrixOperation({ rows: sliceRows, contraction: sliceCols, columns: width }, context),
        'P · V of a chunk',
      ),
      load: [segment('hbm', loads.value(width), 'load of V'), ofColumns(width, 'V')],
      rescale: segment('vector', rescale, 'rescaling of a chunk of O'),
      divide: segment('vector', divide, 'division of a chunk of O'),
      reduce: sharesRows
        ? [segment('sum-reduction', group.rowReduction(output), 'reduction of O'), barrier]
        : [],
      store: [
        segment('hbm', loads.outputStore(width), 'store of O'),
        segment('other', output / chip.l1.bandwidth + chip.control.dmaLocal, 'clearing of O'),
      ],
    }
  }

  return {
    costs,
    loadWholeQuery: keepsWholeQuery(dataflow)
      ? [segment('hbm', loads.wholeQuery, 'load of Q')]
      : [],
    keys: [...chunks.latent, ...chunks.rope].map(keyChunk),
    values: chunks.latent.map(valueChunk),
    barrier,
    launch: [
      segment('other', costs.launch, 'launch of the matrix engine'),
      segment('other', 2 * costs.sync, 'synchronisation of the tile'),
      segment('other', L1_CONTENTION_PER_PHASE_CYCLES, 'contention for L1'),
    ],
    softmax: softmaxOn(chip.vectorEngine.count, sliceCols),
    softmaxOfOneEngine: softmaxOn(1, sliceCols),
    state: (component, name) => [
      ...(sharesRows
        ? [
            barrier,
            segment(component, group.rowReduction(costs.stateVector), `reduction of ${name}`),
            barrier,
            segment('multicast', group.rowMulticast(costs.stateVector), `multicast of ${name}`),
            barrier,
          ]
        : []),
      segment('vector', costs.softmax.stateUpdate, `update of ${name}`),
    ],
  }
}
