import { EventQueue, type TimedEvent } from '#shared/models/event/event-queue.ts'

/**
 * What a tile does, as a generator: it yields either a moment in cycles or a signal, and goes on
 * when that has come. Everything between two yields happens at one moment.
 */
export type Program = Generator<number | Signal, void, void>

/** Something that will have happened at a moment that is not known beforehand. */
export class Signal {
  /** Infinity until it is known. */
  time = Infinity
  private readonly waiting: TimedEvent[] = []
  private readonly simulator: Simulator

  constructor(simulator: Simulator) {
    this.simulator = simulator
  }

  /** Says when it happens: now or later. */
  completeAt(time: number): void {
    this.time = time
    for (const event of this.waiting) this.simulator.schedule(time, event)
    this.waiting.length = 0
  }

  wake(event: TimedEvent): void {
    if (this.time === Infinity) this.waiting.push(event)
    else this.simulator.schedule(Math.max(this.time, this.simulator.now), event)
  }
}

/** Deterministic discrete-event simulation; time is in cycles. */
export class Simulator {
  now = 0
  /** Events that have happened. */
  events = 0
  private readonly queue = new EventQueue()

  schedule(time: number, event: TimedEvent): void {
    this.queue.push(time, event)
  }

  /** Starts a program now; the signal comes when it has ended. */
  spawn(program: Program): Signal {
    const ended = new Signal(this)
    const process = new Process(program, ended, this)
    process.fire()
    return ended
  }

  /** A signal that comes when all of these have. */
  all(signals: readonly (number | Signal)[]): Signal {
    return this.spawn(waitForAll(signals))
  }

  /** Handles up to `count` events; false when there are none left. */
  run(count: number): boolean {
    const { queue } = this
    for (let index = 0; index < count; index++) {
      const time = queue.nextTime
      const event = queue.pop()
      if (event === undefined) return false
      this.now = time
      this.events++
      event.fire()
    }
    return queue.size > 0
  }
}

function* waitForAll(signals: readonly (number | Signal)[]): Program {
  for (const signal of signals) yield signal
}

class Process implements TimedEvent {
  private readonly program: Program
  private readonly ended: Signal
  private readonly simulator: Simulator

  constructor(program: Program, ended: Signal, simulator: Simulator) {
    this.program = program
    this.ended = ended
    this.simulator = simulator
  }

  fire(): void {
    const { simulator } = this
    for (;;) {
      const step = this.program.next()
      if (step.done === true) {
        this.ended.completeAt(simulator.now)
        return
      }
      const wait = step.value
      const time = typeof wait === 'number' ? wait : wait.time
      if (time <= simulator.now) continue
      if (time === Infinity && typeof wait !== 'number') wait.wake(this)
      else simulator.schedule(time, this)
      return
    }
  }
}
