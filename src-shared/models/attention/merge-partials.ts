import type { Chip } from '#shared/hardware/chip.ts'
import { isFlashMla, type Dataflow } from '#shared/mapping/dataflow.ts'
import type { KernelShape } from '#shared/models/attention/kernel-shape.ts'
import type { LatentSteps } from '#shared/models/attention/latent-steps.ts'
import { segment, type Segment } from '#shared/models/attention/timeline.ts'
import { backToBackBarrier } from '#shared/models/collectives/barrier.ts'
import { flitsOf } from '#shared/models/collectives/hardware-collectives.ts'
import { vectorAdd } from '#shared/models/collectives/software-collectives.ts'
import { SOFTWARE_COLLECTIVE_CYCLES } from '#shared/models/constants.ts'
import { bytes } from '#shared/units/quantity.ts'

/**
 * Merge of the partial softmax results of tiles that split KV: a tree of ⌈log2 s⌉ stages, in each of
 * which half of the tiles fetch m, l and O of a neighbour,
 *
 *   m = max(m₁, m₂)   O = O₁·e^(m₁−m) + O₂·e^(m₂−m)   l = l₁·e^(m₁−m) + l₂·e^(m₂−m)
 *
 *   T = ⌈log2 s⌉ · (Σ fetches + 2 · rescale + add + 4 · update + B₀)
 *
 * s        tiles that split KV, groupX
 * fetches  99 cycles and the flits, of each chunk of O and of m and l together
 * rescale  of both O on all vector engines; add on all of them, too
 * B₀       barrier of the tiles without transfers in flight
 *
 * Source: the merge is that of FlashDecoding; cycles of a tree's stage measured on the reference
 *   simulator (SOFTWARE_COLLECTIVE_CYCLES.treeFetch). No measurement of the whole.
 * Checked by: test/src-shared/models/attention/merge-partials.test.ts
 *
 * @returns nothing where KV is not split, or the group reduces in its rows instead
 */
export function mergeOfPartials(
  dataflow: Dataflow,
  shape: Pick<KernelShape, 'groupX'>,
  { values, costs, softmax }: Pick<LatentSteps, 'values' | 'costs' | 'softmax'>,
  chip: Chip,
): Segment[] {
  if (!isFlashMla(dataflow) || shape.groupX <= 1) return []
  const stages = Math.ceil(Math.log2(shape.groupX))
  const fetch = (size: number) => SOFTWARE_COLLECTIVE_CYCLES.treeFetch + flitsOf(bytes(size), chip)
  const chunkBytes = costs.outputRows / values.length
  const fetches = values.length * fetch(chunkBytes) + fetch(2 * costs.stateVector)
  const rescale = values.reduce((sum, value) => sum + value.rescale.cycles, 0)
  const add = vectorAdd(costs.outputRows, costs.element, chip) / chip.vectorEngine.count
  return [
    segment('sum-reduction', stages * fetches, 'fetches of partial results'),
    segment(
      'vector',
      stages * (2 * rescale + add + 4 * softmax.stateUpdate),
      'merge of partial results',
    ),
    segment(
      'other',
      stages * backToBackBarrier(shape.groupX, 1, chip),
      'barriers of the tiles that split KV',
    ),
  ]
}
