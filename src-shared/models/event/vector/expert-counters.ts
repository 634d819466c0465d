import { tileCount, type Chip } from '#shared/hardware/chip.ts'
import { flitsOf } from '#shared/models/collectives/hardware-collectives.ts'
import { ServiceLines } from '#shared/models/event/service-lines.ts'
import type { Program } from '#shared/models/event/simulator.ts'
import type { TileMachine } from '#shared/models/event/tile-machine.ts'
import { remoteRead } from '#shared/models/memory/lone-transfer.ts'
import { bytes } from '#shared/units/quantity.ts'
import { INDEX_BYTES, type VectorWorkload } from '#shared/workload/vector.ts'

/**
 * The counters of the experts, one each, spread over the tiles in their order. A counter takes one
 * increment per cycle; an increment is a read of another tile's L1 that changes what it reads.
 *
 * The experts of a token are spread over the mesh by steps of the golden section, and those of the next
 * token are each one further, so that all are chosen equally often.
 *
 * Leaves out: routings that favour some experts.
 */
export class ExpertCounters {
  private readonly machine: TileMachine
  private readonly workload: VectorWorkload
  private readonly counters: ServiceLines
  private readonly stride: number

  constructor(machine: TileMachine, workload: VectorWorkload) {
    this.machine = machine
    this.workload = workload
    this.counters = new ServiceLines(workload.experts, 1)
    this.stride = goldenStride(workload.experts)
  }

  /** Increments the counter of each expert of a token, one after the other. */
  *count(tile: number, token: number, name: string): Program {
    const { topK, experts } = this.workload
    for (let index = 0; index < topK; index++) {
      const expert = (token + index * this.stride) % experts
      yield* this.increment(tile, expert, name)
    }
  }

  private *increment(tile: number, expert: number, name: string): Program {
    const { machine, counters } = this
    const { chip } = machine
    const home = homeOf(expert, this.workload.experts, chip)
    const hops = hopsBetween(tile, home, chip)
    const size = bytes(INDEX_BYTES)
    const arrival = machine.now + hops * chip.noc.hop
    const wait = counters.serve(expert, arrival, 1) - arrival
    const fixed = remoteRead(size, hops, chip) - flitsOf(size, chip)
    yield machine.unicast(tile, home, size, fixed, name, 'other')
    if (wait > 0) yield machine.now + wait
  }
}

/** About 0.38 of a number, without a factor in common with it: multiples of it meet all remainders. */
function goldenStride(count: number): number {
  let stride = Math.max(1, Math.round(count * GOLDEN_SECTION))
  while (greatestDivisor(stride, count) > 1) stride++
  return stride
}

const GOLDEN_SECTION = (3 - Math.sqrt(5)) / 2

const greatestDivisor = (one: number, other: number): number =>
  other === 0 ? one : greatestDivisor(other, one % other)

/** The tile that keeps the counter of an expert. */
const homeOf = (expert: number, experts: number, chip: Pick<Chip, 'tiles'>): number =>
  Math.floor((expert * tileCount(chip)) / experts)

function hopsBetween(from: number, to: number, { tiles }: Pick<Chip, 'tiles'>): number {
  const [fromX, toX] = [from % tiles.x, to % tiles.x]
  return Math.abs(toX - fromX) + Math.abs((to - toX - (from - fromX)) / tiles.x)
}
