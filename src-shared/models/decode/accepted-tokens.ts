/**
 * Tokens of a sequence that an iteration yields on average.
 *
 *   n = Σ_{i=0}^{K} a^i        K = s − 1
 *
 * a  chance that a draft is accepted, where those before it were    s  speculative length
 * K  drafts: the first token of an iteration needs none, and a refused draft drops those after it.
 *
 * Source: Y. Leviathan et al., "Fast Inference from Transformers via Speculative Decoding", 2023,
 *   equation 1, written as a sum so that a = 1 is no special case.
 * Holds when: all drafts are as likely to be accepted.
 * Checked by: test/src-shared/models/decode/accepted-tokens.test.ts: 1.85 and 2.44
 */
export function acceptedTokens(speculativeLength: number, acceptance: number): number {
  let tokens = 0
  let chance = 1
  for (let position = 0; position < speculativeLength; position++) {
    tokens += chance
    chance *= acceptance
  }
  return tokens
}
