/**
 * Numbers from 0 to below 1 that look random and are the same for the same seed everywhere.
 *
 * Source: the mixing function of splitmix32 (G. Steele, D. Lea, C. Flood, "Fast splittable
 *   pseudorandom number generators", OOPSLA 2014, in its 32-bit form).
 * Checked by: test/src-shared/models/wafer/token-routing.test.ts
 */
export function seededRandom(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x9e3779b9) | 0
    let mixed = state ^ (state >>> 16)
    mixed = Math.imul(mixed, 0x21f0aaad)
    mixed = mixed ^ (mixed >>> 15)
    mixed = Math.imul(mixed, 0x735a2d97)
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32
  }
}
