import type { TileMachine } from '#shared/models/event/tile-machine.ts'
import { Signal } from '#shared/models/event/simulator.ts'

/**
 * A barrier, to be used again and again: it opens when its latency has passed after the last of its
 * tiles has come.
 *
 * The latency is that of messages to the middle of the rows, along the middle column, and of the
 * multicast that wakes all (models/collectives/barrier.ts).
 */
export class GroupBarrier {
  private readonly machine: TileMachine
  private members: number
  private readonly latency: number
  private arrived = 0
  private opening: Signal

  constructor(machine: TileMachine, members: number, latency: number) {
    this.machine = machine
    this.members = members
    this.latency = latency
    this.opening = new Signal(machine.simulator)
  }

  /** How many tiles come, where some are not simulated since others stand for them. */
  expect(members: number): void {
    this.members = members
  }

  /** A tile has come; the signal is when it may go on. */
  arrive(): Signal {
    const { opening, machine } = this
    this.arrived++
    if (this.arrived === this.members) {
      this.arrived = 0
      this.opening = new Signal(machine.simulator)
      opening.completeAt(machine.now + this.latency)
    }
    return opening
  }
}
