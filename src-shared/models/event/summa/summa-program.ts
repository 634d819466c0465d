import type { GroupBarrier } from '#shared/models/event/group-barrier.ts'
import type { Program } from '#shared/models/event/simulator.ts'
import type { SummaTileCosts } from '#shared/models/event/summa/summa-costs.ts'
import type { SummaOperands } from '#shared/models/event/summa/summa-operands.ts'
import {
  lengthOf,
  summaPanels,
  summaSteps,
  type IndexRange,
  type SummaPanel,
  type SummaShare,
} from '#shared/models/event/summa/summa-work.ts'
import type { TileArea } from '#shared/models/event/tile-area.ts'
import type { TileGroup } from '#shared/models/event/tile-group.ts'
import type { TileMachine } from '#shared/models/event/tile-machine.ts'
import type { SummaShape } from '#shared/models/summa/summa-shape.ts'

/** How many panels of a group, and steps of each, are simulated: the first of them. */
export interface SimulatedPart {
  readonly panels: number
  readonly steps: number
}

/** What all tiles of a kernel share. */
export interface SummaKernelPrograms {
  readonly machine: TileMachine
  readonly shape: SummaShape
  readonly costs: SummaTileCosts
  readonly operands: SummaOperands
  /** Of all tiles that have work. */
  readonly chipBarrier: GroupBarrier
  readonly part: SimulatedPart
  /** A matrix operation of a group's tile has ended. */
  noteStep(group: number, panel: number, step: number): void
  /** Whether stores are repeated as in the public kernel: its defect, off for predictions. */
  readonly repeatsStores: boolean
}

/**
 * SUMMA on one tile of a group.
 *
 *   for each panel of Z:  load and multicast X, then W, of the first step
 *     for each step:      barrier ‖ matrix operation before; X · W of this step beside
 *                         loads and multicasts of the next, and stores of the panel before
 *
 * The panel before is stored by ⌈groupX / steps⌉ columns of tiles in each step, a column further in
 * each row, so that the stores of a row of tiles use different links. Where the contraction is split,
 * the tiles of the first group sum over the groups before they store.
 *
 * All tiles meet before such a sum: with their products, or, with the artefact sumBeforeProducts as
 * in the public kernel, when they have loaded. Each then waits for its own matrix operation only, so
 * that a group that loaded late may still be computing.
 *
 * Source: order of the steps in the public SUMMA kernel of arXiv 2604.02110.
 * Checked by: the validation sets gemm-runs-event-2026 and gemm-*-event-*.
 */
export class SummaTile {
  private readonly kernel: SummaKernelPrograms
  private readonly group: TileGroup
  private readonly share: SummaShare
  private readonly ix: number
  private readonly iy: number
  private readonly tile: number
  private readonly groupIndex: number

  constructor(
    kernel: SummaKernelPrograms,
    group: TileGroup,
    share: SummaShare,
    position: { readonly ix: number; readonly iy: number; readonly groupIndex: number },
  ) {
    this.kernel = kernel
    this.group = group
    this.share = share
    this.ix = position.ix
    this.iy = position.iy
    this.groupIndex = position.groupIndex
    this.tile = group.tile(position.ix, position.iy)
  }

  *program(): Program {
    const { kernel, share } = this
    const { shape, chipBarrier, part } = kernel
    const steps = Math.min(part.steps, summaSteps(shape, share))
    const panels = summaPanels(shape, share).slice(0, part.panels)
    let before: SummaPanel | undefined
    yield chipBarrier.arrive()
    yield this.clear()
    for (const [index, panel] of panels.entries()) {
      yield* this.load(panel, 0)
      let computed = 0
      for (let step = 0; step < steps; step++) {
        yield this.group.barrier.arrive()
        yield computed
        if (step > 0) kernel.noteStep(this.groupIndex, index, step - 1)
        computed = yield* this.startMatrix()
        if (step + 1 < steps) yield* this.load(panel, step + 1)
        if (before !== undefined && this.storesIn(step)) {
          yield* this.store(before)
          yield this.clear()
        }
      }
      if (!this.sumsEarly) yield computed
      yield (this.reduces ? chipBarrier : this.group.barrier).arrive()
      yield computed
      kernel.noteStep(this.groupIndex, index, steps - 1)
      before = panel
    }
    if (before !== undefined) yield* this.store(before)
    yield chipBarrier.arrive()
  }

  /** The moment at which the matrix operation that starts now will have ended. */
  private *startMatrix(): Generator<number, number, void> {
    const { machine, costs } = this.kernel
    yield machine.now + costs.stepOverhead
    return machine.compute(this.tile, 'matrix', 'matrix', 'X · W', costs.matrix)
  }

  /** X, then W: a tile that loads both does the one after the other. */
  private *load(panel: SummaPanel, step: number): Program {
    const { kernel, group, tile, ix, iy } = this
    const { machine, operands, costs } = kernel
    const contraction = this.contractionOf(step)
    if (group.rowLoader(iy) === tile) {
      const rows = this.rowsOf(panel)
      if (lengthOf(rows) > 0) {
        yield machine.load(tile, operands.x(panel.product, rows, contraction), 'load of X')
        yield machine.multicast(tile, group.row(iy), costs.xBytes, 'multicast of X')
      }
    }
    if (group.columnLoader(ix) === tile) {
      const columns = this.columnsOf(panel)
      if (lengthOf(columns) > 0) {
        yield machine.load(tile, operands.w(panel.product, contraction, columns), 'load of W')
        yield machine.multicast(tile, group.column(ix), costs.wBytes, 'multicast of W')
      }
    }
  }

  private *store(panel: SummaPanel): Program {
    const { machine, operands, costs } = this.kernel
    if (this.reduces && this.groupIndex > 0) return
    const rows = this.rowsOf(panel)
    const columns = this.columnsOf(panel)
    if (lengthOf(rows) <= 0 || lengthOf(columns) <= 0) return
    if (this.reduces) {
      const area = this.sameTileOfAllGroups()
      yield machine.reduce(this.tile, area, costs.zBytes, 'sum over the groups', 'sum-reduction')
    }
    yield machine.store(this.tile, operands.z(panel.product, rows, columns), 'store of Z')
  }

  private clear(): number {
    const { machine, costs } = this.kernel
    return machine.compute(this.tile, 'dma', 'other', 'clearing of Z', costs.clear)
  }

  private get reduces(): boolean {
    return this.kernel.shape.split === 'k' && this.kernel.shape.activeGroups > 1
  }

  /** Whether the last step of a panel is left before its product: without a sum nothing depends on it. */
  private get sumsEarly(): boolean {
    return !this.reduces || this.kernel.machine.chip.artefacts.sumBeforeProducts
  }

  /** Whether this tile stores the panel before in a step. */
  private storesIn(step: number): boolean {
    const { groupX } = this.kernel.shape
    const steps = summaSteps(this.kernel.shape, this.share)
    const columnsPerStep = Math.ceil(groupX / steps)
    const first = Math.floor(((this.ix + this.iy) % groupX) / columnsPerStep)
    const repeats = this.kernel.repeatsStores ? Math.max(0, steps - groupX) : 0
    return step >= first && step <= first + repeats
  }

  private sameTileOfAllGroups(): TileArea {
    const { groupX, groupY, groupColumns, groupRows } = this.kernel.shape
    return {
      x: this.ix,
      y: this.iy,
      columns: groupColumns,
      rows: groupRows,
      columnStep: groupX,
      rowStep: groupY,
    }
  }

  private rowsOf(panel: SummaPanel): IndexRange {
    const { tileM, workload } = this.kernel.shape
    const first = panel.firstRow + this.iy * tileM
    return { first, end: Math.min(workload.m, first + tileM) }
  }

  private columnsOf(panel: SummaPanel): IndexRange {
    const first = panel.firstColumn + this.ix * this.kernel.shape.tileN
    return { first, end: Math.min(this.share.columns.end, first + this.kernel.shape.tileN) }
  }

  private contractionOf(step: number): IndexRange {
    const { first, end } = this.share.contraction
    const start = first + step * this.kernel.shape.tileK
    return { first: start, end: Math.min(end, start + this.kernel.shape.tileK) }
  }
}
