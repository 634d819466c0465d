/**
 * Pseudo-random numbers in [0, 1) that depend on a seed and an index only, in steps of 2⁻³²: any of
 * them can be had without those before it.
 *
 * A multiply-and-shift hash of 32 bits over the index, keyed by the hash of the seed; the mixing
 * constants are those of the public-domain MurmurHash3 finalizer.
 */
export function randomAt(seed: number, index: number): number {
  const key = mixed(seed ^ 0x9e3779b9)
  return mixed(mixed(index ^ key) ^ Math.floor(index / 2 ** 32) ^ seed) / 2 ** 32
}

function mixed(value: number): number {
  let bits = value | 0
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b)
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35)
  return (bits ^ (bits >>> 16)) >>> 0
}
