import type { ChipGroup } from '#shared/models/wafer/chip-groups.ts'
import type { Exchange } from '#shared/models/wafer/exchange.ts'
import type { ExpertPlacement } from '#shared/models/wafer/expert-placement.ts'
import type { RoutedTokens } from '#shared/models/wafer/token-routing.ts'

/** Which member of a group computes each choice of each token: [token · topK + slot]. */
export interface AssignedTokens {
  readonly tokens: number
  readonly topK: number
  readonly members: number
  readonly computedBy: Int32Array
}

/** How the choices of tokens become messages. */
export interface TrafficRules {
  /** A chip with several experts of a token gets it once, and returns one sum. */
  readonly onceForEachChip: boolean
  /** Whether what a chip sends to itself goes through the network. */
  readonly includesOwnChip: boolean
}

/**
 * Sends each choice of a token to a copy of its expert, to copies in turn.
 *
 * Token t belongs to member t mod n of the group; of c copies it takes number ⌊t / n⌋ mod c.
 */
export function assignTokens(routed: RoutedTokens, placement: ExpertPlacement): AssignedTokens {
  const { tokens, topK, chosen } = routed
  const { members, copies } = placement
  const computedBy = chosen.map((expert, index) => {
    const places = copies[expert] ?? []
    const turn = Math.floor(Math.floor(index / topK) / members)
    return places[turn % places.length] ?? 0
  })
  return { tokens, topK, members, computedBy }
}

/** Rows that each member computes, over all its experts. */
export function computedRows({ members, computedBy }: AssignedTokens): Int32Array {
  const rows = new Int32Array(members)
  for (const member of computedBy) rows[member] = (rows[member] ?? 0) + 1
  return rows
}

/**
 * The messages that carry tokens to their experts, and those that carry results back.
 *
 * A chip sends its tokens in order, and each to its experts in the order of their choice. Results
 * leave a chip in the order of the tokens.
 *
 * @param chips of the whole system
 */
export function expertTraffic(
  assigned: AssignedTokens,
  group: ChipGroup,
  chips: number,
  rules: TrafficRules,
): { readonly dispatch: Exchange['destinations']; readonly combine: Exchange['destinations'] } {
  const dispatch: number[][] = Array.from({ length: chips }, () => [])
  const combine: number[][] = Array.from({ length: chips }, () => [])
  const { tokens, topK, members, computedBy } = assigned
  const lastToken = new Int32Array(members).fill(-1)
  for (let token = 0; token < tokens; token++) {
    const homeMember = token % members
    const home = group.chips[homeMember] ?? 0
    for (let slot = 0; slot < topK; slot++) {
      const member = computedBy[token * topK + slot] ?? 0
      if (member === homeMember && !rules.includesOwnChip) continue
      if (rules.onceForEachChip && lastToken[member] === token) continue
      lastToken[member] = token
      const chip = group.chips[member] ?? 0
      dispatch[home]?.push(chip)
      combine[chip]?.push(home)
    }
  }
  const lists = (messages: readonly (readonly number[])[]) =>
    messages.map(list => Int32Array.from(list))
  return { dispatch: lists(dispatch), combine: lists(combine) }
}
