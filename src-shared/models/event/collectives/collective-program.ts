import type { LineCollectives, LineTask } from '#shared/models/event/line-collectives.ts'
import type { Program } from '#shared/models/event/simulator.ts'
import type { TileArea } from '#shared/models/event/tile-area.ts'
import type { TileMachine } from '#shared/models/event/tile-machine.ts'
import type { CollectivePart } from '#shared/results/collective-result.ts'
import type { Collective } from '#shared/workload/collective.ts'

/** What all tiles of a collective share. */
export interface CollectivePrograms {
  readonly machine: TileMachine
  readonly collective: Collective
  readonly lines: LineCollectives
  readonly barriers: LineTask['group']
  /** A tile has ended its share of a part. */
  noteEnd(part: CollectivePart['part']): void
}

/**
 * One tile of a group in a collective: along its row, then along its column.
 *
 * A multicast starts in the south-west corner: only the row of the source moves data in the first
 * part, then every column does. A reduction ends there: every row first, then the first column.
 * Tiles whose line has nothing to move take part in the barriers only.
 */
export class CollectiveTile {
  private readonly programs: CollectivePrograms
  private readonly area: TileArea
  private readonly ix: number
  private readonly iy: number
  private readonly tile: number

  constructor(programs: CollectivePrograms, area: TileArea, ix: number, iy: number) {
    this.programs = programs
    this.area = area
    this.ix = ix
    this.iy = iy
    this.tile = programs.machine.tileAt(area.x + ix, area.y + iy)
  }

  *program(): Program {
    const { area, ix, iy, programs } = this
    const { collective, barriers } = programs
    const sends = collective.operation === 'multicast'
    if (area.columns > 1) {
      yield* this.along({ ...area, y: area.y + iy, rows: 1 }, !sends || iy === 0)
      programs.noteEnd('row')
    }
    if (collective.implementation === 'hw' && area.columns > 1 && area.rows > 1) {
      yield barriers.barrier.arrive()
      programs.noteEnd('barrier')
    }
    if (area.rows > 1) {
      yield* this.along({ ...area, x: area.x + ix, columns: 1 }, sends || ix === 0)
      programs.noteEnd('column')
    }
  }

  private *along(line: TileArea, moves: boolean): Program {
    const { machine, collective, lines, barriers } = this.programs
    const { operation, size, elementBytes } = collective
    const task: LineTask = {
      group: barriers,
      tile: this.tile,
      root: machine.tileAt(line.x, line.y),
      line,
      size: moves ? size : 0,
      elementBytes,
      name: operation,
    }
    if (operation === 'multicast') yield* lines.multicast(task)
    else yield* lines.reduce(task, operation === 'max' ? 'max-reduction' : 'sum-reduction')
  }
}
