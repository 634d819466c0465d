import type { Chip } from '#shared/hardware/chip.ts'
import {
  DMA_BURST_BYTES,
  HBM_ROW_LATENCY,
  LOAD_ISSUE_CYCLES,
  STORE_ISSUE_CYCLES,
} from '#shared/models/constants.ts'
import { operandHome, streamTime } from '#shared/models/memory/hbm.ts'
import { loneHbmWrite } from '#shared/models/memory/lone-transfer.ts'
import type { LoadStep } from '#shared/models/vector/vector-steps.ts'
import { perCycle } from '#shared/units/convert.ts'
import { bytes, cycles, type Cycles } from '#shared/units/quantity.ts'

/** Which tile waits for a load or a store, and behind whom. */
export interface Waiting {
  /** The one in the corner beside the memory, whose timer the authors read, or the last of all. */
  readonly tile: 'nearest' | 'last'
  /** Nobody; those that come before it in the queue; all. */
  readonly behind: 'none' | 'earlier' | 'all'
}

type MemoryChip = Pick<Chip, 'hbm' | 'clock' | 'noc' | 'tiles' | 'control'>

/**
 * Cycles until a tile has what it loads while `tiles` tiles load the same amount.
 *
 *   nearest  t = issue + open + max( flits + δ , share · q )
 *   last     t = issue + (closed or open) + hops + max( flits , share · q )
 *   q = max( flits · tiles per line , tiles · s / (η · B) )
 *
 * open, closed  latency of an open row of a bank and of another one, 0.21 and 0.68 of hbm.latency
 * δ             closed − open where the operands of a token lie in the same bank, else 0; it passes
 *               while the loads of others are served
 * q             the line of links to the edge, or the channels, shared by all
 * share         1 behind all, 0 behind nobody; behind those that come earlier it is 1 where a load
 *               takes several bursts of 4 KiB, since its last one waits behind the first ones of
 *               all. A single burst of f flits is served on average half-way, a single flit beside
 *               the edge at once: (f − 1) / (2 · f)
 * The last of several tiles finds its row closed, except where its line is also its neighbour's,
 * because less than a flit is loaded. A line that all tiles read is open, and is served by its one
 * channel: q = tiles · flit · ⌈lines/channels⌉ / channel. It is full before the last tile comes,
 * which therefore does not wait for it once more.
 *
 * Source: latencies measured on the reference simulator (resources/published/dma-2026.json); the
 *   share is an argument, compared with the first tile in runs with rows of 64 B to 8 KiB.
 * Holds when: all tiles load at once and the operands lie behind one edge or opposite ones.
 * Checked by: the validation sets vector-kernels-2026 and vector-first-tile-2026.
 */
export function tokenLoad(
  load: LoadStep,
  { tile, behind }: Waiting,
  tiles: number,
  chip: MemoryChip,
): Cycles {
  const flits = Math.ceil(load.bytes / chip.noc.flit)
  const share = { none: 0, earlier: shareBehindEarlier(load.bytes, flits), all: 1 }[behind]
  const open = HBM_ROW_LATENCY.open * chip.hbm.latency
  const closed = HBM_ROW_LATENCY.closed * chip.hbm.latency
  if (tile === 'nearest') {
    const own = flits + (load.bank === 'conflict' ? closed - open : 0)
    return cycles(LOAD_ISSUE_CYCLES + open + Math.max(own, share * loadQueue(load, tiles, chip)))
  }
  const known =
    load.sharedLines > 0 || load.bytes < chip.noc.flit || (tiles === 1 && load.bank === 'open')
  const queue = load.sharedLines > 0 ? 0 : share * loadQueue(load, tiles, chip)
  return cycles(
    LOAD_ISSUE_CYCLES +
      (known ? open : closed) +
      furthestHops(tiles, chip) +
      Math.max(flits, queue),
  )
}

const shareBehindEarlier = (size: number, flits: number): number =>
  size > DMA_BURST_BYTES ? 1 : (flits - 1) / (2 * Math.max(1, flits))

/**
 * Cycles until the store of a tile is out of its hands: t = max( lone store , issue + q behind all ).
 *
 * lone store  the first burst of 4 KiB goes in lines, one after the other; see `loneHbmWrite`
 * q           as in `tokenLoad`
 */
export function tokenStore(
  size: number,
  { tile, behind }: Waiting,
  tiles: number,
  chip: MemoryChip,
): Cycles {
  const hops = tile === 'last' ? furthestHops(tiles, chip) : 0
  const queue = behind === 'all' ? STORE_ISSUE_CYCLES + channelTime(size, tiles, chip) : 0
  return cycles(Math.max(loneHbmWrite(bytes(size), hops, chip), queue))
}

/** Cycles of the channels, links or shared lines until they have served a load of `tiles` tiles. */
export const loadQueue = (load: LoadStep, tiles: number, chip: MemoryChip): Cycles =>
  load.sharedLines > 0 ? sharedLineTime(load, tiles, chip) : channelTime(load.bytes, tiles, chip)

/**
 * Cycles of the links or channels for `size` bytes of each of `tiles` tiles, which the tokens
 * spread evenly over the lines.
 */
export function channelTime(size: number, tiles: number, chip: MemoryChip): Cycles {
  const home = operandHome('row', chip)
  const lines = home.axis === 'row' ? chip.tiles.y : chip.tiles.x
  return streamTime(
    {
      home,
      loaders: tiles,
      loadersPerLine: Math.ceil(tiles / lines),
      bytesPerLoader: bytes(size),
      dmaRows: 1,
    },
    chip,
  )
}

function sharedLineTime({ sharedLines }: LoadStep, tiles: number, chip: MemoryChip): Cycles {
  const home = operandHome('row', chip)
  const channel = perCycle(chip.hbm.channelRate, chip.clock)
  const visits = Math.ceil((sharedLines * channel) / home.bandwidth)
  return cycles((tiles * chip.noc.flit * visits) / (chip.hbm.efficiency * channel))
}

/** Hops from the edge to the furthest of `tiles` tiles: the first tokens go to one line. */
function furthestHops(tiles: number, chip: MemoryChip): number {
  const home = operandHome('row', chip)
  const side = home.axis === 'row' ? chip.tiles.x : chip.tiles.y
  return ((Math.min(tiles, side) - 1) * chip.noc.hop) / home.edgeCount
}
