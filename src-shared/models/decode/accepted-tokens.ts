/** Chance of a draft where those before it were accepted: the same for all, or one for each. */
export type Acceptance = number | readonly number[]

/**
 * Tokens of a sequence that an iteration yields on average.
 *
 *   n = Σ_{i=0}^{K} Π_{j=1}^{i} a_j        K = s − 1
 *
 * a_j  chance that draft j is accepted, where those before it were    s  speculative length
 * K    drafts: the first token of an iteration needs none, and a refused draft drops those after it.
 *
 * Source: Y. Leviathan et al., "Fast Inference from Transformers via Speculative Decoding", 2023,
 *   equation 1, written as a sum so that a = 1 is no special case, with a chance for each position.
 * Holds when: a list has s − 1 entries; what it lacks counts as refused.
 * Checked by: test/src-shared/models/decode/accepted-tokens.test.ts: 1.85 and 2.44
 */
export function acceptedTokens(speculativeLength: number, acceptance: Acceptance): number {
  let tokens = 1
  let chance = 1
  for (let draft = 0; draft < speculativeLength - 1; draft++) {
    chance *= typeof acceptance === 'number' ? acceptance : (acceptance[draft] ?? 0)
    tokens += chance
  }
  return tokens
}

/** The chances as people write them: '0.7', or '0.9, 0.6'. */
export const acceptanceText = (acceptance: Acceptance): string =>
  typeof acceptance === 'number' ? String(acceptance) : acceptance.join(', ')
