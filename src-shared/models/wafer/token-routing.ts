import { seededRandom } from '#shared/models/wafer/seeded-random.ts'

/** How tokens choose their experts. */
export type TokenRouting =
  /** Token t takes experts k·t, k·t + 1, … modulo their number: all have equal work. */
  | { readonly pattern: 'balanced' }
  /** Any k experts, all as likely. */
  | { readonly pattern: 'uniform'; readonly seed: number }
  /** The expert at rank r, counted from 1, is chosen with a weight of r to the power −exponent. */
  | { readonly pattern: 'zipf'; readonly seed: number; readonly exponent: number }

export interface ExpertChoice {
  readonly experts: number
  /** Different experts that each token goes to. */
  readonly topK: number
}

/** The experts of each token: [token · topK + slot]. */
export interface RoutedTokens extends ExpertChoice {
  readonly tokens: number
  readonly chosen: Int32Array
}

/**
 * Chooses topK different experts for each token.
 *
 *   balanced  expert(t, j) = (k·t + j) mod E
 *   uniform   k draws without replacement, all experts as likely
 *   zipf      k draws without replacement, P(rank r) ∝ r^−s
 *
 * t  token    j  slot    k  topK    E  experts    s  exponent
 *
 * Source: balanced is the pattern of the public experiments of arXiv 2604.02110; drawing without
 *   replacement by weight is the model of R. L. Plackett, "The analysis of permutations", 1975.
 * Holds when: the popularity of an expert does not change from token to token.
 * Leaves out: what a router has learnt; in a trained model the experts of a token are not independent.
 * Checked by: test/src-shared/models/wafer/token-routing.test.ts
 */
export function routeTokens(
  routing: TokenRouting,
  { experts, topK }: ExpertChoice,
  tokens: number,
): RoutedTokens {
  const chosen = new Int32Array(tokens * topK)
  if (routing.pattern === 'balanced') {
    for (let index = 0; index < chosen.length; index++) chosen[index] = index % experts
    return { experts, topK, tokens, chosen }
  }
  const random = seededRandom(routing.seed)
  const draw = drawFrom(
    Float64Array.from({ length: experts }, (_, expert) =>
      routing.pattern === 'zipf' ? (expert + 1) ** -routing.exponent : 1,
    ),
  )
  const lastToken = new Int32Array(experts).fill(-1)
  for (let index = 0; index < chosen.length; index++) {
    const token = Math.floor(index / topK)
    let expert = draw(random())
    while (lastToken[expert] === token) expert = draw(random())
    lastToken[expert] = token
    chosen[index] = expert
  }
  return { experts, topK, tokens, chosen }
}

/** How many tokens go to each expert. */
export function expertTokens({ experts, chosen }: RoutedTokens): Int32Array {
  const counts = new Int32Array(experts)
  for (const expert of chosen) counts[expert] = (counts[expert] ?? 0) + 1
  return counts
}

/** Which expert a number from 0 to 1 stands for, in proportion to the weights. */
function drawFrom(weights: Float64Array): (at: number) => number {
  let sum = 0
  const ends = weights.map(weight => (sum += weight))
  return at => {
    const target = at * sum
    let low = 0
    let high = ends.length - 1
    while (low < high) {
      const middle = (low + high) >> 1
      if ((ends[middle] ?? 0) > target) high = middle
      else low = middle + 1
    }
    return low
  }
}

/**
 * Chips that a token visits on average where each chip gets it at most once.
 *
 *   V = n·(1 − Π_{i<k} (E − E/n − i) / (E − i))
 *
 * n  chips that share the experts    E  experts    k  topK
 *
 * Source: probability that all k draws without replacement miss the E/n experts of a chip.
 * Holds when: routing is uniform and every chip has as many experts.
 * Checked by: test/src-shared/models/wafer/token-routing.test.ts: 7.676 for 8 of 256 on 64 chips
 */
export function expectedChipsPerToken({ experts, topK }: ExpertChoice, chips: number): number {
  let missed = 1
  for (let draw = 0; draw < topK; draw++) {
    missed *= Math.max(0, experts - experts / chips - draw) / (experts - draw)
  }
  return chips * (1 - missed)
}
