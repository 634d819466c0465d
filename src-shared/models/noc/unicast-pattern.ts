import type { Chip } from '#shared/hardware/chip.ts'
import { REMOTE_WRITE_CYCLES } from '#shared/models/constants.ts'
import { cycles, type Bytes, type Cycles } from '#shared/units/quantity.ts'

/**
 * Who sends to whom on a square mesh: all to the tile in a corner; each to its mirror image in the
 * row; each to its neighbour to the right, the last of a row to the first.
 */
export type UnicastPattern = 'all-to-one' | 'dialog' | 'round-shift'

/**
 * Transfers that share the busiest link, on a mesh of `side` × `side` tiles with XY routing.
 *
 *   all-to-one   N · (N − 1)     the link along y into the corner: all rows but its own
 *   dialog       ⌊N / 2⌋         the middle of each row, in either direction
 *   round-shift  1
 *
 * At least 1, for the port of the tile itself.
 *
 * Holds when: a flit goes along x first, then along y, and each direction of a link carries one flit
 *   per cycle.
 * Checked by: test/src-shared/models/noc/unicast-pattern.test.ts, which counts the links.
 */
export function busiestLink(pattern: UnicastPattern, side: number): number {
  switch (pattern) {
    case 'all-to-one':
      return Math.max(1, side * (side - 1))
    case 'dialog':
      return Math.max(1, Math.floor(side / 2))
    case 'round-shift':
      return 1
  }
}

/**
 * Cycles until every tile of a square mesh has sent `size` bytes in a pattern, all at once.
 *
 *   t = 14 + h · hop + flits · load
 *
 * h     hops of the longest way: 2 · (N − 1) to a corner, N − 1 along a row
 * load  transfers on the busiest link
 *
 * Source: XY routing; issue as in `remoteWrite`.
 * Holds when: all tiles start together, buffers do not fill, and the busiest link never idles.
 * Leaves out: pauses of the DMA between bursts, which show where no link is shared.
 * Checked by: the validation set noc-unicast-2024.
 */
export function unicastPattern(
  pattern: UnicastPattern,
  size: Bytes,
  side: number,
  chip: Pick<Chip, 'noc'>,
): Cycles {
  const hops = (pattern === 'all-to-one' ? 2 : 1) * (side - 1)
  const flits = Math.ceil(size / chip.noc.flit)
  return cycles(REMOTE_WRITE_CYCLES + 2 + hops * chip.noc.hop + flits * busiestLink(pattern, side))
}
