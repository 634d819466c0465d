import type { Chip } from '#shared/hardware/chip.ts'
import { matrixContext } from '#shared/models/attention/tile-costs.ts'
import {
  exposedTail,
  ExposedTime,
  segment,
  type Segment,
} from '#shared/models/attention/timeline.ts'
import { barrier, chipBarrier } from '#shared/models/collectives/barrier.ts'
import {
  hardwareMulticast,
  hardwareReduction,
} from '#shared/models/collectives/hardware-collectives.ts'
import { HBM_ACCESS_BYTES, SUMMA_SYNCS_PER_STEP } from '#shared/models/constants.ts'
import { matrixOperation } from '#shared/models/engines/matrix-engine.ts'
import {
  accessLatency,
  concurrentLoad,
  drainedStore,
  operandHome,
  refreshStretch,
  type ConcurrentLoad,
} from '#shared/models/memory/hbm.ts'
import { touchedUnits } from '#shared/models/summa/strided-rows.ts'
import type { SummaShape } from '#shared/models/summa/summa-shape.ts'
import { bytes, cycles, type Cycles } from '#shared/units/quantity.ts'
import { elementBytes } from '#shared/workload/attention.ts'

/** What the parts of a SUMMA kernel cost. */
export interface SummaCosts {
  readonly matrix: Cycles
  /** Launch of the matrix engine and synchronisation of the cores, in each step. */
  readonly stepOverhead: Cycles
  /** Loads and multicasts of X and W for one step, one after the other, and the group's barrier. */
  readonly chain: readonly Segment[]
  /** What the tiles that store the panel before do after their loads, in one step. */
  readonly stepStore: readonly Segment[]
  /** Steps of a panel in which some tiles store. */
  readonly storingSteps: number
  /** Reduction over the groups and store of the last panel. */
  readonly lastStore: readonly Segment[]
  readonly clear: Cycles
}

export interface SummaTime {
  readonly time: ExposedTime
  readonly costs: SummaCosts
  /** Factor by which refresh stretches the time of the channels. */
  readonly stretch: number
}

/**
 * Time of a SUMMA GEMM.
 *
 *   step  = max( T_mm + o , D )          D = t_X + mc_X + t_W' + mc_W + B
 *   panel = D + (steps − 1) · step + T_mm + o
 *   T     = panels · panel + T_reduce + T_store + 2 · B_chip
 *
 * T_mm        matrix operation of tileM × tileK × tileN      o  launch and synchronisation
 * t_X, t_W'   loads of a block by the loaders of all groups at once
 * mc_X, mc_W  multicasts along a row and a column of the group     B  barrier of the group
 * A tile that loads X and W does the one after the other, so the chain is serial; t_W' is what is
 * then left of the load of W, which other tiles began before. The panel before
 * is stored by ⌈groupX / steps⌉ columns of tiles in each step, after the loads of that step. With k
 * split the tiles of the first group sum over all groups before they store. All in cycles.
 *
 * Source: order of the steps in the public SUMMA kernel of arXiv 2604.02110; times of loads,
 *   multicasts and barriers measured on the reference simulator.
 * Holds when: all groups load at the same moments.
 * Checked by: test/published/gemm.test.ts
 */
export function summaTime(shape: SummaShape, chip: Chip): SummaTime {
  const plain = kernelTime(shape, chip)
  const stretch = refreshStretch(cycles(plain.time.total), chip)
  if (stretch === 1) return { ...plain, stretch }
  const hbm = { ...chip.hbm, efficiency: chip.hbm.efficiency / stretch }
  return { ...kernelTime(shape, { ...chip, hbm }), stretch }
}

function kernelTime(shape: SummaShape, chip: Chip): Omit<SummaTime, 'stretch'> {
  const costs = summaCosts(shape, chip)
  const { outputBlocks, steps } = shape
  const time = new ExposedTime()
  const compute = [
    segment('matrix', costs.matrix, 'X · W'),
    segment('other', costs.stepOverhead, 'launch and synchronisation'),
  ]
  const hidden = costs.matrix + costs.stepOverhead
  time.add([segment('other', 2 * chipBarrier(chip), 'barriers of the chip')], 'first and last')
  time.add([segment('other', costs.clear, 'clearing of Z')], 'at the start')
  time.add(costs.chain, 'before the first step of a panel', outputBlocks)
  time.add(compute, 'per step', outputBlocks * steps)

  // Stores of the panel before fill the first steps of a panel; in the last step nothing is loaded.
  const following = outputBlocks - 1
  const storing = Math.min(costs.storingSteps, steps - 1)
  const both = exposedTail([...costs.chain, ...costs.stepStore], hidden)
  const loads = exposedTail(costs.chain, hidden)
  time.add(both, 'in a step that also stores', following * storing)
  time.add(loads, 'in a step that only loads', outputBlocks * (steps - 1) - following * storing)
  time.add(
    exposedTail(costs.stepStore, hidden),
    'in a last step that stores',
    following * (costs.storingSteps - storing),
  )
  time.add(costs.lastStore, 'after the last panel')
  return { time, costs }
}

function summaCosts(shape: SummaShape, chip: Chip): SummaCosts {
  const { tileM, tileN, tileK, groupX, groupY, steps, workload, activeGroups } = shape
  const element = elementBytes(workload.dtype)
  const rowHome = operandHome('row', chip)
  const columnHome = operandHome('column', chip)
  const groupBarrier = groupX * groupY > 1 ? barrier(groupX, groupY, chip) : cycles(0)
  // A tile that is larger than the matrix loads and stores what there is.
  const rows = Math.min(tileM, workload.m)
  const columns = Math.min(tileN, workload.n)
  const depth = Math.min(tileK, workload.k)
  const outputBytes = bytes(tileM * tileN * element)
  const activeRows = shape.groupRows * groupY
  const activeColumns = shape.groupColumns * groupX

  /** Loaders that share a line of links, if they are spread over as many lines as they can. */
  const perLine = (axis: 'row' | 'column', loaders: number, lines: number) => ({
    loadersPerLine: Math.ceil(loaders / (axis === 'column' ? lines : activeRows)),
  })
  const xLoaders = activeRows * shape.groupColumns
  const wLoaders = activeColumns * shape.groupRows
  const xLoad = stridedLoad(rows, depth * element, workload.k * element, chip, {
    home: rowHome,
    loaders: xLoaders,
    ...perLine(rowHome.axis, xLoaders, Math.min(groupX, activeRows) * shape.groupColumns),
  })
  const wLoad = stridedLoad(depth, columns * element, workload.n * element, chip, {
    home: columnHome,
    loaders: wLoaders,
    ...perLine(columnHome.axis, wLoaders, activeColumns),
  })

  const xLoadTime = concurrentLoad(xLoad, chip)
  const xMulticast = hardwareMulticast(bytes(tileM * tileK * element), groupX, chip)
  // The diagonals of row and column loaders meet in as many tiles as the shorter side has.
  const both = activeGroups * Math.min(groupX, groupY)
  // Columns of tiles rotate from row to row, so the tiles that store spread over all lines.
  const storingColumns = Math.ceil(groupX / steps)
  const writers = shape.split === 'k' ? 1 : activeGroups
  const store = (tileColumns: number) => {
    const tiles = tileColumns * groupY * writers
    const lines = shape.split === 'k' ? groupX : activeColumns
    return segment(
      'hbm',
      drainedStore(
        stridedLoad(rows, columns * element, workload.n * element, chip, {
          home: rowHome,
          loaders: tiles,
          ...perLine(rowHome.axis, tiles, lines),
        }),
        chip,
      ),
      'store of Z',
    )
  }
  const clear = cycles(outputBytes / chip.l1.bandwidth + chip.control.dmaLocal)
  return {
    matrix: matrixOperation(
      { rows: tileM, contraction: tileK, columns: tileN },
      matrixContext(chip, workload.dtype),
    ),
    stepOverhead: cycles(chip.matrixEngine.launch + SUMMA_SYNCS_PER_STEP * chip.control.tileSync),
    chain: [
      segment('hbm', xLoadTime, 'load of X'),
      segment('multicast', xMulticast, 'multicast of X'),
      segment(
        'hbm',
        remainingLoad(xLoad, wLoad, both, cycles(xLoadTime + xMulticast), chip),
        'load of W',
      ),
      segment(
        'multicast',
        hardwareMulticast(bytes(tileK * tileN * element), groupY, chip),
        'multicast of W',
      ),
      segment('other', groupBarrier, 'barrier of the group'),
    ],
    stepStore: [
      ...reduction(shape, storingColumns, chip),
      store(storingColumns),
      segment('other', clear, 'clearing of Z'),
    ],
    storingSteps: Math.ceil(groupX / storingColumns),
    lastStore: [
      ...reduction(shape, groupX, chip),
      ...(shape.split === 'k' && activeGroups > 1
        ? [segment('other', chipBarrier(chip), 'barrier before the reduction')]
        : []),
      store(groupX),
    ],
    clear,
  }
}

/**
 * What of the load of W is left when X is loaded and multicast.
 *
 *   t = min( t_W , max( t_W(both) , t_all − t_X − mc_X ) )
 *   t_all = λ + Σ bytes of X and W / (η · B), of W alone where X lies behind other edges
 *
 * Tiles that load W alone begin at once, so the channels work on W while X is on its way; those that
 * load both begin after it. Before the last of them is through, all bytes have passed the channels.
 *
 * Source: order of the loads in the public SUMMA kernel of arXiv 2604.02110; channels that never
 *   idle while somebody waits for them.
 * Checked by: test/published/gemm.test.ts
 *
 * @param both tiles that load X and W
 * @param before load and multicast of X
 */
function remainingLoad(
  xLoad: ConcurrentLoad,
  wLoad: ConcurrentLoad,
  both: number,
  before: Cycles,
  chip: Chip,
): Cycles {
  const serial = concurrentLoad(wLoad, chip)
  const share = Math.min(1, both / Math.max(1, wLoad.loaders))
  const loadersPerLine = Math.max(1, wLoad.loadersPerLine * share)
  const own = concurrentLoad({ ...wLoad, loaders: both, loadersPerLine }, chip)
  const moved =
    wLoad.loaders * wLoad.bytesPerLoader +
    (xLoad.home.axis === wLoad.home.axis ? xLoad.loaders * xLoad.bytesPerLoader : 0)
  const all = accessLatency(wLoad.home, chip) + moved / (chip.hbm.efficiency * wLoad.home.bandwidth)
  return cycles(Math.min(serial, Math.max(own, all - before)))
}

/** A transfer of `rows` rows of `rowBytes`, whose ends touch more than the row. */
function stridedLoad(
  rows: number,
  rowBytes: number,
  stride: number,
  chip: Chip,
  load: Pick<ConcurrentLoad, 'home' | 'loaders' | 'loadersPerLine'>,
): ConcurrentLoad {
  return {
    ...load,
    bytesPerLoader: bytes(
      rows * HBM_ACCESS_BYTES * touchedUnits(rowBytes, stride, HBM_ACCESS_BYTES),
    ),
    flitsPerLoader: Math.ceil(rows * touchedUnits(rowBytes, stride, chip.noc.flit)),
    dmaRows: rows,
  }
}

/**
 * Sum of Z over the groups, by the tiles of the first group: `columns` tiles of a row share the
 * links along x, where there are groups beside each other, else the tiles of a column those along y.
 */
function reduction(shape: SummaShape, columns: number, chip: Chip): Segment[] {
  if (shape.split !== 'k' || shape.activeGroups <= 1) return []
  const element = elementBytes(shape.workload.dtype)
  const sharers = shape.groupColumns > 1 ? columns : shape.groupY
  return [
    segment(
      'sum-reduction',
      hardwareReduction(
        bytes(sharers * shape.tileM * shape.tileN * element),
        Math.max(shape.groupColumns * shape.groupX, shape.groupRows * shape.groupY),
        chip,
      ),
      'sum over the groups',
    ),
  ]
}
