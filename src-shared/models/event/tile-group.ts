import { backToBackBarrier, barrier } from '#shared/models/collectives/barrier.ts'
import { GroupBarrier } from '#shared/models/event/group-barrier.ts'
import type { TileArea } from '#shared/models/event/tile-area.ts'
import type { TileMachine } from '#shared/models/event/tile-machine.ts'

/** Where the tiles stand that load for a row and for a column of a group. */
export type LoaderPlacement = 'diagonal' | 'edge'

/** Tiles that work on one block together. */
export class TileGroup {
  readonly area: TileArea
  readonly barrier: GroupBarrier
  /** After a waited step, with no transfers in flight: it opens sooner. */
  readonly quietBarrier: GroupBarrier
  private readonly machine: TileMachine
  private readonly placement: LoaderPlacement

  constructor(machine: TileMachine, area: TileArea, placement: LoaderPlacement) {
    this.machine = machine
    this.area = area
    this.placement = placement
    const { columns, rows } = area
    const members = columns * rows
    const latency = members > 1 ? barrier(columns, rows, machine.chip) : 0
    const quiet = members > 1 ? backToBackBarrier(columns, rows, machine.chip) : 0
    this.barrier = new GroupBarrier(machine, members, latency)
    this.quietBarrier = new GroupBarrier(machine, members, quiet)
  }

  /** How many of its tiles are simulated. */
  expect(members: number): void {
    this.barrier.expect(members)
    this.quietBarrier.expect(members)
  }

  tile(ix: number, iy: number): number {
    return this.machine.tileAt(this.area.x + ix, this.area.y + iy)
  }

  /**
   * The tile that loads for a row of the group. On the diagonal of the mesh, so that loaders of
   * different rows use different columns of links; or all in the first column.
   */
  rowLoader(iy: number): number {
    const ix = this.placement === 'diagonal' ? (this.area.y + iy) % this.area.columns : 0
    return this.tile(ix, iy)
  }

  /** The tile that loads for a column of the group: on the diagonal, or in the lowest row. */
  columnLoader(ix: number): number {
    const iy = this.placement === 'diagonal' ? (this.area.x + ix) % this.area.rows : 0
    return this.tile(ix, iy)
  }

  row(iy: number): TileArea {
    return { ...this.area, y: this.area.y + iy, rows: 1 }
  }

  column(ix: number): TileArea {
    return { ...this.area, x: this.area.x + ix, columns: 1 }
  }
}

/** All groups that fit on the mesh, row by row from the south-west corner. */
export function tileGroups(
  machine: TileMachine,
  group: { readonly groupX: number; readonly groupY: number },
  placement: LoaderPlacement,
  count: number,
): TileGroup[] {
  const { groupX, groupY } = group
  const perRow = Math.floor(machine.chip.tiles.x / groupX)
  return Array.from({ length: count }, (_, index) => {
    const gx = index % perRow
    const gy = Math.floor(index / perRow)
    return new TileGroup(
      machine,
      { x: gx * groupX, y: gy * groupY, columns: groupX, rows: groupY },
      placement,
    )
  })
}
