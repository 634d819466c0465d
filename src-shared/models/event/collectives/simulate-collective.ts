import type { Chip } from '#shared/hardware/chip.ts'
import { backToBackBarrier, barrier } from '#shared/models/collectives/barrier.ts'
import { barrierExtent } from '#shared/models/collectives/collective-kernel.ts'
import {
  CollectiveTile,
  type CollectivePrograms,
} from '#shared/models/event/collectives/collective-program.ts'
import { pipelinedLines } from '#shared/models/event/collectives/pipelined-lines.ts'
import { GroupBarrier } from '#shared/models/event/group-barrier.ts'
import {
  hardwareCollectives,
  sequentialCollectives,
  treeCollectives,
  type LineCollectives,
} from '#shared/models/event/line-collectives.ts'
import type { Signal } from '#shared/models/event/simulator.ts'
import { TileMachine } from '#shared/models/event/tile-machine.ts'
import type { CollectivePart } from '#shared/results/collective-result.ts'
import type { Collective } from '#shared/workload/collective.ts'

/**
 * A collective on the event engine, alone on the chip.
 *
 * With barriers of the participants one group of columns × rows tiles works, in the south-west
 * corner; with barriers of the chip as many such groups as the mesh has room for work at once, as in
 * the benchmarks, and all of their tiles meet.
 *
 * Source: the models of the lines; what they share on the mesh is simulated.
 * Leaves out: the barriers before and after, which belong to the kernel around it.
 * Checked by: the validation sets collectives-event-2026 and fig7-collectives-event-2026.
 */
export class CollectiveSimulation {
  readonly machine: TileMachine
  /** Tiles that take part. */
  readonly tiles: number
  private readonly ended: Signal
  private readonly partEnds = new Map<CollectivePart['part'], number>()
  private tilesDone = 0

  /** @param timelineTiles whose operations are kept for a timeline */
  constructor(collective: Collective, chip: Chip, timelineTiles: readonly number[] = []) {
    const { columns, rows } = collective
    const everywhere = collective.barriers === 'chip'
    const beside = everywhere ? Math.floor(chip.tiles.x / columns) : 1
    const above = everywhere ? Math.floor(chip.tiles.y / rows) : 1
    this.tiles = beside * above * columns * rows
    this.machine = new TileMachine(chip, { timelineTiles, sampledTiles: [] })
    const { simulator } = this.machine
    const programs = this.programs(collective, chip)
    const ends = Array.from({ length: this.tiles }, (_, index) => {
      const inGroup = index % (columns * rows)
      const group = (index - inGroup) / (columns * rows)
      const ix = inGroup % columns
      const x = (group % beside) * columns
      const y = Math.floor(group / beside) * rows
      const area = { x, y, columns, rows }
      const tile = new CollectiveTile(programs, area, ix, (inGroup - ix) / columns)
      const ended = simulator.spawn(tile.program())
      ended.wake({
        fire: () => {
          this.tilesDone++
        },
      })
      return ended
    })
    this.ended = simulator.all(ends)
  }

  /** Share of the tiles that are through. */
  get progress(): number {
    return this.tilesDone / this.tiles
  }

  /**
   * Handles some events; false when all have ended.
   *
   * @throws Error if tiles wait for each other for ever: a mistake in their programs
   */
  run(events: number): boolean {
    if (this.machine.simulator.run(events)) return true
    if (this.ended.time === Infinity) throw new Error('the programs of the tiles have not ended')
    return false
  }

  get cycles(): number {
    return this.ended.time
  }

  /** Cycles that each part took; all tiles meet between them. */
  partCycles(parts: readonly CollectivePart['part'][]): number[] {
    let before = 0
    return parts.map(part => {
      const end = this.partEnds.get(part) ?? before
      const spent = end - before
      before = end
      return spent
    })
  }

  private programs(collective: Collective, chip: Chip): CollectivePrograms {
    const { x, y } = barrierExtent(collective, chip)
    const meeting = (latency: number) =>
      new GroupBarrier(this.machine, this.tiles, this.tiles > 1 ? latency : 0)
    return {
      machine: this.machine,
      collective,
      lines: linesOf(collective, this.machine),
      barriers: {
        barrier: meeting(barrier(x, y, chip)),
        quietBarrier: meeting(backToBackBarrier(x, y, chip)),
      },
      noteEnd: part => {
        this.partEnds.set(part, this.machine.now)
      },
    }
  }
}

function linesOf({ implementation, stages }: Collective, machine: TileMachine): LineCollectives {
  switch (implementation) {
    case 'hw':
      return hardwareCollectives(machine)
    case 'sw-tree':
      return treeCollectives(machine)
    case 'sw-seq':
      return sequentialCollectives(machine)
    case 'sw-pipelined':
      return pipelinedLines(machine, stages)
  }
}
