/** Where the experts are: for each one the members of the group that have a copy of it. */
export interface ExpertPlacement {
  readonly members: number
  readonly copies: readonly (readonly number[])[]
}

/** Expert e at member e mod n: the placement of the public experiments of arXiv 2604.02110. */
export const roundRobinPlacement = (experts: number, members: number): ExpertPlacement => ({
  members,
  copies: Array.from({ length: experts }, (_, expert) => [expert % members]),
})

/**
 * Experts spread by how busy they are, the busiest with further copies.
 *
 *   1. As often as there are redundant copies, the expert with the most tokens per copy gets one more.
 *   2. Copies go, those with the most tokens first, to the member with the fewest tokens so far that
 *      has room and no copy of the same expert.
 *
 * Each member holds ⌈(E + redundant) / n⌉ copies at most; one expert has at most n.
 *
 * Source: the load balancer that was published with DeepSeek-V3 (arXiv 2412.19437, section 3.4) in
 *   its simplest form, without groups.
 * Holds when: the tokens of an expert are shared out evenly among its copies.
 * Checked by: test/src-shared/models/wafer/expert-placement.test.ts
 *
 * @param tokens of each expert
 */
export function loadBalancedPlacement(
  tokens: ArrayLike<number>,
  members: number,
  redundant: number,
): ExpertPlacement {
  const experts = Array.from(tokens)
  const counts = experts.map(() => 1)
  const share = (expert: number) => (experts[expert] ?? 0) / (counts[expert] ?? 1)
  for (let copy = 0; copy < redundant; copy++) {
    let busiest = -1
    for (let expert = 0; expert < experts.length; expert++) {
      if ((counts[expert] ?? 0) >= members) continue
      if (busiest === -1 || share(expert) > share(busiest)) busiest = expert
    }
    if (busiest === -1) break
    counts[busiest] = (counts[busiest] ?? 0) + 1
  }
  const room = Math.ceil((experts.length + redundant) / members)
  const held = new Int32Array(members)
  const load = new Float64Array(members)
  const copies: number[][] = experts.map(() => [])
  const order = experts.map((_, expert) => expert).toSorted((a, b) => share(b) - share(a) || a - b)
  for (const expert of order) {
    for (let copy = 0; copy < (counts[expert] ?? 0); copy++) {
      const member = emptiest(load, held, room, copies[expert] ?? [])
      copies[expert]?.push(member)
      held[member] = (held[member] ?? 0) + 1
      load[member] = (load[member] ?? 0) + share(expert)
    }
  }
  return { members, copies }
}

/** The member with the fewest tokens that can take a copy; where all are full, that with fewest. */
function emptiest(
  load: Float64Array,
  held: Int32Array,
  room: number,
  taken: readonly number[],
): number {
  let best = -1
  let bestIsFull = true
  for (let member = 0; member < load.length; member++) {
    if (taken.includes(member)) continue
    const isFull = (held[member] ?? 0) >= room
    const isBetter =
      best === -1 ||
      (bestIsFull && !isFull) ||
      (bestIsFull === isFull && (load[member] ?? 0) < (load[best] ?? 0))
    if (isBetter) {
      best = member
      bestIsFull = isFull
    }
  }
  return best
}
