import { SOFTWARE_COLLECTIVE_CYCLES } from '#shared/models/constants.ts'
import { vectorAdd } from '#shared/models/collectives/software-collectives.ts'
import type { LatentTile } from '#shared/models/event/latent/latent-tile.ts'
import type { Program } from '#shared/models/event/simulator.ts'
import { bytes } from '#shared/units/quantity.ts'

/**
 * Merge of the results of tiles that split KV, as a tree into the first of them. In each stage half of
 * the tiles that still have a result fetch m, l and O of a neighbour and combine them with their own.
 * A barrier stands before each stage, and one behind the last.
 *
 * Source: see mergeOfPartials of the phase engine, which has the formula.
 */
export function* mergePartials(t: LatentTile): Program {
  const { group, ix, costs, chip } = t
  const count = group.area.columns
  if (!t.kernel.isFlash || count <= 1) return
  const { values, slice, softmax } = costs
  const rescale = values.reduce((sum, value) => sum + value.rescale, 0)
  const add = vectorAdd(slice.outputRows, slice.element, chip) / chip.vectorEngine.count
  for (let distance = 1; distance < count; distance *= 2) {
    yield group.quietBarrier.arrive()
    if (ix % (2 * distance) !== 0 || ix + distance >= count) continue
    const done = t.data?.merge(t.tile, group.tile(ix + distance, 0))
    for (const { output } of values) yield* fetch(t, ix + distance, output)
    yield* fetch(t, ix + distance, 2 * slice.stateVector)
    yield* t.vector('merge of partial results', 2 * rescale + add + 4 * softmax.stateUpdate, done)
  }
  yield group.quietBarrier.arrive()
}

function* fetch(t: LatentTile, ix: number, size: number): Program {
  const { treeFetch } = SOFTWARE_COLLECTIVE_CYCLES
  const from = t.group.tile(ix, 0)
  const name = 'fetch of partial results'
  yield t.kernel.machine.unicast(t.tile, from, bytes(size), treeFetch, name, 'sum-reduction')
}
