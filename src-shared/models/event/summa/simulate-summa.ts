import type { Chip } from '#shared/hardware/chip.ts'
import { chipBarrier } from '#shared/models/collectives/barrier.ts'
import { GroupBarrier } from '#shared/models/event/group-barrier.ts'
import type { Signal } from '#shared/models/event/simulator.ts'
import { summaTileCosts } from '#shared/models/event/summa/summa-costs.ts'
import { SummaOperands } from '#shared/models/event/summa/summa-operands.ts'
import { simulatedPart, wholeKernel } from '#shared/models/event/summa/summa-part.ts'
import {
  SummaTile,
  type SimulatedPart,
  type SummaKernelPrograms,
} from '#shared/models/event/summa/summa-program.ts'
import { remainingCycles } from '#shared/models/event/summa/summa-steady-state.ts'
import { matrixOperations, summaShares } from '#shared/models/event/summa/summa-work.ts'
import { tileGroups, type LoaderPlacement } from '#shared/models/event/tile-group.ts'
import { TileMachine } from '#shared/models/event/tile-machine.ts'
import type { SummaShape } from '#shared/models/summa/summa-shape.ts'

export interface SummaEventOptions {
  readonly loaders: LoaderPlacement
  readonly timelineTiles: readonly number[]
  /** Stores Z as often as the public kernel does, which is too often: for its recorded runs only. */
  readonly repeatsStores: boolean
}

export const defaultSummaOptions: SummaEventOptions = {
  loaders: 'diagonal',
  timelineTiles: [],
  repeatsStores: false,
}

/** Groups over which the breakdown is averaged, at most. */
const SAMPLED_GROUPS = 64

/** A SUMMA kernel on the event engine: run it until it has ended, then ask. */
export class SummaSimulation {
  readonly iterationName = 'steps'
  readonly machine: TileMachine
  readonly whole: SimulatedPart
  readonly part: SimulatedPart
  private readonly ended: Signal
  private readonly stepTimes: number[][][]
  private readonly operations: number
  private operationsDone = 0

  /** @param part what is simulated of it; all where the events are affordable */
  constructor(
    shape: SummaShape,
    chip: Chip,
    options: SummaEventOptions = defaultSummaOptions,
    part: SimulatedPart = simulatedPart(shape, chip),
  ) {
    this.whole = wholeKernel(shape)
    this.part = part
    this.operations = matrixOperations(shape, part)
    const shares = summaShares(shape)
    this.stepTimes = shares.map(() => [])
    this.machine = new TileMachine(chip, {
      timelineTiles: options.timelineTiles,
      sampledTiles: sampledTiles(shape, chip),
    })
    const kernel: SummaKernelPrograms = {
      machine: this.machine,
      shape,
      costs: summaTileCosts(shape, chip),
      operands: new SummaOperands(shape.workload, chip),
      chipBarrier: new GroupBarrier(
        this.machine,
        shape.activeGroups * shape.groupX * shape.groupY,
        chipBarrier(chip),
      ),
      part,
      noteStep: (group, panel, step) => {
        this.noteStep(group, panel, step)
      },
      repeatsStores: options.repeatsStores,
    }
    const groups = tileGroups(this.machine, shape, options.loaders, shape.activeGroups)
    const { simulator } = this.machine
    const ends = groups.flatMap((group, groupIndex) => {
      const share = shares[groupIndex]
      if (share === undefined) return []
      return Array.from({ length: shape.groupX * shape.groupY }, (_, index) => {
        const ix = index % shape.groupX
        const iy = (index - ix) / shape.groupX
        const tile = new SummaTile(kernel, group, share, { ix, iy, groupIndex })
        return simulator.spawn(tile.program())
      })
    })
    this.ended = simulator.all(ends)
  }

  /** Steps of the busiest group, and how many of them are simulated. */
  get iterations(): number {
    return this.whole.panels * this.whole.steps
  }

  get simulatedIterations(): number {
    return this.part.panels * this.part.steps
  }

  /** Share of the simulated part that is done. */
  get progress(): number {
    return this.operations > 0 ? this.operationsDone / this.operations : 1
  }

  /**
   * Handles some events; false when the kernel has ended.
   *
   * @throws Error if its tiles wait for each other for ever: a mistake in their programs
   */
  run(events: number): boolean {
    if (this.machine.simulator.run(events)) return true
    if (this.ended.time === Infinity) throw new Error('the programs of the tiles have not ended')
    return false
  }

  /** Cycles of the part that was simulated, with the closing barrier. */
  get simulatedCycles(): number {
    return this.ended.time
  }

  /** Cycles of the whole kernel: what the busiest group has left follows in the steady state. */
  get cycles(): number {
    return this.simulatedCycles + remainingCycles(this.stepTimes[0] ?? [], this.whole)
  }

  private noteStep(group: number, panel: number, step: number): void {
    this.operationsDone++
    const panels = this.stepTimes[group]
    if (panels === undefined) return
    const times = (panels[panel] ??= [])
    times[step] = this.machine.now
  }
}

/**
 * Tiles on the diagonal: they load, so that their exposed time says what the others wait for at their
 * barrier. One in each of some groups; where the contraction is split, those of the first group, which
 * also sums and stores.
 */
function sampledTiles(shape: SummaShape, chip: Chip): number[] {
  const { groupX, groupY, activeGroups, split } = shape
  const perRow = Math.max(1, Math.floor(chip.tiles.x / groupX))
  const loader = (group: number, iy: number) => {
    const y = Math.floor(group / perRow) * groupY + iy
    return y * chip.tiles.x + (group % perRow) * groupX + (y % groupX)
  }
  if (split === 'k') return Array.from({ length: groupY }, (_, iy) => loader(0, iy))
  const every = Math.ceil(activeGroups / SAMPLED_GROUPS)
  return Array.from({ length: Math.ceil(activeGroups / every) }, (_, index) =>
    loader(index * every, (index * every) % groupY),
  )
}
