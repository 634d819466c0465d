import type { Chip } from '#shared/hardware/chip.ts'
import type { SimulatedPart } from '#shared/models/event/summa/summa-program.ts'
import { STEADY_STEPS } from '#shared/models/event/summa/summa-steady-state.ts'
import { summaPanels, summaShares, summaSteps } from '#shared/models/event/summa/summa-work.ts'
import type { SummaShape } from '#shared/models/summa/summa-shape.ts'
import { elementBytes } from '#shared/workload/attention.ts'

/** Events that a simulation should need; a longer kernel is simulated in part. */
const EVENT_BUDGET = 500_000

/** About what a tile takes for one step, without transfers. Counted on 32 × 32 tiles. */
const EVENTS_PER_TILE_AND_STEP = 4

/** Bytes of a load or multicast that one event moves. */
const BYTES_PER_EVENT = 2048

/** Steps of a part that are simulated at least, over all its panels. */
const LEAST_STEPS = 24

/** All panels and steps of the busiest group. */
export function wholeKernel(shape: SummaShape): SimulatedPart {
  const [share] = summaShares(shape)
  if (share === undefined) return { panels: 0, steps: 0 }
  return { panels: summaPanels(shape, share).length, steps: summaSteps(shape, share) }
}

/**
 * How much of a kernel is simulated: all of it, if about 0.5 million events are enough; else at
 * least two panels, of which the second stores the first, and of each the steps that store and some
 * more.
 */
export function simulatedPart(shape: SummaShape, chip: Pick<Chip, 'noc'>): SimulatedPart {
  const whole = wholeKernel(shape)
  const affordable = EVENT_BUDGET / eventsPerStep(shape, chip)
  if (whole.panels * whole.steps <= affordable) return whole
  const storing = whole.panels > 1 ? Math.min(shape.groupX, whole.steps) : 0
  const steps = Math.min(whole.steps, Math.max(LEAST_STEPS, storing + 2 * STEADY_STEPS))
  const panels = Math.max(2, Math.ceil(LEAST_STEPS / steps), Math.floor(affordable / steps))
  return { panels: Math.min(whole.panels, panels), steps }
}

function eventsPerStep(shape: SummaShape, chip: Pick<Chip, 'noc'>): number {
  const { activeGroups, groupX, groupY, tileM, tileN, tileK, workload } = shape
  const element = elementBytes(workload.dtype)
  const rowBytes = (elements: number) =>
    Math.ceil((elements * element) / chip.noc.flit) * chip.noc.flit
  const loaded = groupY * tileM * rowBytes(tileK) + groupX * tileK * rowBytes(tileN)
  const tiles = groupX * groupY * EVENTS_PER_TILE_AND_STEP
  return activeGroups * (tiles + (2 * loaded) / BYTES_PER_EVENT)
}
