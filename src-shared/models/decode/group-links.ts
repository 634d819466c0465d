import type { ChipGroup } from '#shared/models/wafer/chip-groups.ts'
import type { LinkLoad } from '#shared/results/communication-result.ts'

/**
 * The link loads of the first group, repeated for all groups: they do the same, and routes inside a
 * rectangle never leave it. Links to a central switch stay those of their own chips.
 */
export function linksOfAllGroups(
  links: readonly LinkLoad[],
  groups: readonly ChipGroup[],
): LinkLoad[] {
  const [first] = groups
  if (first === undefined) return []
  const member = new Map(first.chips.map((chip, index) => [chip, index]))
  return groups.flatMap(({ chips }) => {
    const placeIn = (place: LinkLoad['from']): LinkLoad['from'] =>
      place === 'switch' ? place : (chips[member.get(place) ?? -1] ?? place)
    return links.map(link => ({ ...link, from: placeIn(link.from), to: placeIn(link.to) }))
  })
}
