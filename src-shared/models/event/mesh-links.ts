import type { Chip, Edge } from '#shared/hardware/chip.ts'
import { farCorner, type TileArea } from '#shared/models/event/tile-area.ts'
import { ServiceLines } from '#shared/models/event/service-lines.ts'
import { TimeBins } from '#shared/models/event/time-bins.ts'

/** Directed links that leave a router, and the queue through which its own tile injects. */
export const linkDirections = ['east', 'west', 'north', 'south', 'inject'] as const

const EAST = 0
const WEST = 1
const NORTH = 2
const SOUTH = 3
const INJECT = 4
const LINKS_PER_TILE = linkDirections.length

/** A run of flits under way: when its first and its last flit are at the place it has reached. */
export interface FlitRun {
  head: number
  tail: number
}

/**
 * The links of the mesh as FIFO servers: each passes one flit per cycle, in the order of arrival.
 *
 * Flits travel in runs: a run of n flits holds a link for n cycles, and its head goes on while its
 * tail is still behind, so that an idle path takes (links · hop + n) cycles. Queues do not fill.
 *
 * Tile (x, y) has the index y · columns + x; y = 0 is the row at the south edge. Links at the rim
 * of the mesh lead to the HBM channels behind it.
 *
 * Source: router model of the public simulator: one flit per cycle and input queue, XY routing,
 *   queues that are practically infinite, outputs that are not arbitrated, so that the last router
 *   hands on to memory what each of its inputs brings. Measured: four tiles of a column read 32 KiB
 *   each in 860 cycles, the time of three of them on one link.
 */
export class MeshLinks {
  readonly columns: number
  readonly rows: number
  readonly bytes: TimeBins
  private readonly lines: ServiceLines
  readonly hop: number
  private readonly flitBytes: number

  constructor(chip: Pick<Chip, 'tiles' | 'noc'>) {
    this.columns = chip.tiles.x
    this.rows = chip.tiles.y
    this.hop = chip.noc.hop
    this.flitBytes = chip.noc.flit
    const links = LINKS_PER_TILE * this.columns * this.rows
    this.lines = new ServiceLines(links, 1)
    this.bytes = new TimeBins(links, 64)
  }

  /** From a tile into its own router. */
  inject(tile: number, run: FlitRun, flits: number): void {
    this.pass(LINKS_PER_TILE * tile + INJECT, run, flits, 0)
  }

  /** From the router of a tile straight out of the mesh. */
  leave(tile: number, edge: Edge, run: FlitRun, flits: number): void {
    const x = tile % this.columns
    const y = (tile - x) / this.columns
    switch (edge) {
      case 'south':
        this.straight(tile, SOUTH, -this.columns, y, run, flits)
        this.exit(this.tile(x, 0), SOUTH, run, flits)
        return
      case 'north':
        this.straight(tile, NORTH, this.columns, this.rows - 1 - y, run, flits)
        this.exit(this.tile(x, this.rows - 1), NORTH, run, flits)
        return
      case 'west':
        this.straight(tile, WEST, -1, x, run, flits)
        this.exit(this.tile(0, y), WEST, run, flits)
        return
      case 'east':
        this.straight(tile, EAST, 1, this.columns - 1 - x, run, flits)
        this.exit(this.tile(this.columns - 1, y), EAST, run, flits)
    }
  }

  private tile(x: number, y: number): number {
    return y * this.columns + x
  }

  /** From router to router: first along the row, then along the column. */
  route(from: number, to: number, run: FlitRun, flits: number): void {
    const { columns } = this
    const fromX = from % columns
    const toX = to % columns
    const right = toX - fromX
    this.straight(from, right > 0 ? EAST : WEST, Math.sign(right), Math.abs(right), run, flits)
    const turn = from + right
    const up = (to - turn) / columns
    this.straight(turn, up > 0 ? NORTH : SOUTH, columns * Math.sign(up), Math.abs(up), run, flits)
  }

  /**
   * Copies a run to all routers of an area: along the row of the source in both directions, and from
   * each router of that row that has tiles of the area along its column. The run ends when the last
   * copy has arrived.
   */
  spread(from: number, area: TileArea, run: FlitRun, flits: number): void {
    const x = from % this.columns
    const y = (from - x) / this.columns
    const far = farCorner(area)
    const columnStep = area.columnStep ?? 1
    const start = { head: run.head, tail: run.tail }
    let { head, tail } = run
    const branch = { head: 0, tail: 0 }
    const columnOf = (column: number, at: FlitRun) => {
      const root = y * this.columns + column
      for (const [direction, step, count] of [
        [NORTH, this.columns, far.y - y],
        [SOUTH, -this.columns, y - area.y],
      ] as const) {
        branch.head = at.head
        branch.tail = at.tail
        this.straight(root, direction, step, count, branch, flits)
        head = Math.max(head, branch.head)
        tail = Math.max(tail, branch.tail)
      }
    }
    columnOf(x, start)
    for (const [direction, step, count] of [
      [EAST, 1, far.x - x],
      [WEST, -1, x - area.x],
    ] as const) {
      const along = { head: start.head, tail: start.tail }
      for (let index = 0; index < count; index++) {
        this.straight(from + index * step, direction, step, 1, along, flits)
        const column = x + (index + 1) * step
        if ((column - area.x) % columnStep === 0) columnOf(column, along)
      }
    }
    run.head = head
    run.tail = tail
  }

  private straight(
    tile: number,
    direction: number,
    step: number,
    count: number,
    run: FlitRun,
    flits: number,
  ): void {
    let link = LINKS_PER_TILE * tile + direction
    const stride = LINKS_PER_TILE * step
    for (let index = 0; index < count; index++) {
      this.pass(link, run, flits, this.hop)
      link += stride
    }
  }

  /** Out of the mesh: every input of the last router has its own way to the memory controller. */
  private exit(tile: number, direction: number, run: FlitRun, flits: number): void {
    this.bytes.add(LINKS_PER_TILE * tile + direction, run.head, flits * this.flitBytes)
    run.head += this.hop
    run.tail += this.hop
  }

  private pass(link: number, run: FlitRun, flits: number, hop: number): void {
    const start = this.lines.serve(link, run.head, flits)
    run.tail = Math.max(run.tail, start + flits - 1) + hop
    run.head = start + hop
    this.bytes.add(link, start, flits * this.flitBytes)
  }
}
