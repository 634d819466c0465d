import {
  HBM_ISSUE_CYCLES,
  HBM_OPEN_ROW_SAVING_SECONDS,
  HBM_REFRESH,
  HBM_ROW_OPENING_SECONDS,
  HBM_TURN_BYTES,
  OUTSTANDING_FLITS,
  POSTED_WRITE_RATE,
  STORE_ISSUE_CYCLES,
} from '#shared/models/constants.ts'
import type { Chip, Edge } from '#shared/hardware/chip.ts'
import { perCycle } from '#shared/units/convert.ts'
import {
  bytesPerCycle,
  bytesPerSecond,
  cycles,
  type Bytes,
  type BytesPerCycle,
  type BytesPerSecond,
  type Cycles,
} from '#shared/units/quantity.ts'

type MemoryChip = Pick<Chip, 'hbm' | 'clock' | 'noc' | 'tiles' | 'control'>

const edges: readonly Edge[] = ['west', 'north', 'east', 'south']
const rowEdges: readonly Edge[] = ['west', 'east']
const columnEdges: readonly Edge[] = ['north', 'south']

const channelsOn = (some: readonly Edge[], chip: Pick<Chip, 'hbm'>): number =>
  some.reduce((sum, edge) => sum + chip.hbm.channels[edge], 0)

/** Peak rate of all channels. */
export const peakHbmBandwidth = (chip: Pick<Chip, 'hbm'>): BytesPerSecond =>
  bytesPerSecond(channelsOn(edges, chip) * chip.hbm.channelRate)

/** Where an operand lies: on the edges that its loaders reach along their row or their column. */
export interface OperandHome {
  /** Peak of the channels behind those edges. */
  readonly bandwidth: BytesPerCycle
  /** Edges that share the load; a line of tiles drains to each of them. */
  readonly edgeCount: number
  /** Whether the loads travel along rows (to west or east) or along columns. */
  readonly axis: 'row' | 'column'
}

/**
 * Row operands (Q, O) lie behind the west and east edges and column operands (K, V) behind the
 * north and south edges where the chip has channels on both kinds; else all lie where the
 * channels are.
 *
 * Source: arXiv 2505.18824 (Q from the west, K and V from the south) and 2604.02110 (all south).
 */
export function operandHome(operand: 'row' | 'column', chip: MemoryChip): OperandHome {
  const wanted = operand === 'row' ? rowEdges : columnEdges
  const other = operand === 'row' ? columnEdges : rowEdges
  const home = channelsOn(wanted, chip) > 0 ? wanted : other
  return {
    bandwidth: bytesPerCycle(
      perCycle(bytesPerSecond(channelsOn(home, chip) * chip.hbm.channelRate), chip.clock),
    ),
    edgeCount: home.filter(edge => chip.hbm.channels[edge] > 0).length,
    axis: home === rowEdges ? 'row' : 'column',
  }
}

/** All channels together, for loads that are spread over all of them. */
export function allChannels(chip: MemoryChip): OperandHome {
  return {
    bandwidth: bytesPerCycle(perCycle(peakHbmBandwidth(chip), chip.clock)),
    edgeCount: edges.filter(edge => chip.hbm.channels[edge] > 0).length,
    axis: channelsOn(columnEdges, chip) > 0 ? 'column' : 'row',
  }
}

/** What the lines of links to the edges of a home carry: one flit per cycle and line. */
export const linkBandwidth = (
  home: OperandHome,
  chip: Pick<Chip, 'noc' | 'tiles'>,
): BytesPerCycle =>
  bytesPerCycle(
    chip.noc.flit * home.edgeCount * (home.axis === 'row' ? chip.tiles.y : chip.tiles.x),
  )

/** Whether rows and columns drain to different channels. */
export const hasTwoAxes = (chip: Pick<Chip, 'hbm'>): boolean =>
  channelsOn(rowEdges, chip) > 0 && channelsOn(columnEdges, chip) > 0

/** Tiles that load the same amount at the same time. */
export interface ConcurrentLoad {
  readonly home: OperandHome
  /** Loaders on the whole chip. */
  readonly loaders: number
  /** Loaders whose flits use the same line of links to the edge. */
  readonly loadersPerLine: number
  readonly bytesPerLoader: Bytes
  /** Flits of one loader, where rows that are short or not aligned need more than their bytes. */
  readonly flitsPerLoader?: number
  /** The same on average over loaders, where some load less than others, or nothing. */
  readonly meanFlitsPerLoader?: number
  /** Rows of a two-dimensional transfer, which the DMA issues one by one; 1 where contiguous. */
  readonly dmaRows: number
  /** Share of such loads that find the row of memory closed; all where it is not known. */
  readonly closedRows?: number
}

/** Cycles from a request to its first data where the row is closed, and the hops from mid-mesh. */
export function accessLatency(home: OperandHome, chip: MemoryChip): Cycles {
  return cycles(chip.hbm.latency + hopsToEdge(home, chip))
}

const hopsToEdge = (home: OperandHome, chip: MemoryChip): number =>
  (chip.noc.hop * (home.axis === 'row' ? chip.tiles.x : chip.tiles.y)) / home.edgeCount

/**
 * Cycles until an access to an open row is answered, and that an idle channel takes to open another.
 * As software sees them that waits for a whole load at 965 MHz: with issue and polling.
 */
export const rowLatencies = ({ hbm, clock }: Pick<Chip, 'hbm' | 'clock'>) => ({
  open: Math.max(0, hbm.latency - HBM_OPEN_ROW_SAVING_SECONDS * clock),
  opening: HBM_ROW_OPENING_SECONDS * clock,
})

/** The same for a kernel whose addresses are known: issue, open row, and its opening where closed. */
function knownLatency(home: OperandHome, closedRows: number, chip: MemoryChip): Cycles {
  const { open, opening } = rowLatencies(chip)
  return cycles(HBM_ISSUE_CYCLES + open + closedRows * opening + hopsToEdge(home, chip))
}

/**
 * Cycles until all loaders of a concurrent load have their data.
 *
 *   t = λ + max( flits · max(1, loadersPerLine / edges) , Σ bytes / (η · B) , rows · issue )
 *
 * λ  accessLatency        η  hbm.efficiency        B  peak of the channels
 * The first term is the tile and the line of links towards the edge, each one flit per cycle; the
 * second the channels behind it; the third the DMA, which issues one row of a two-dimensional
 * transfer after the other.
 *
 * Source: measured on the reference simulator (resources/published/dma-2026.json): a lone tile
 *   reads at one flit per cycle after the latency; 16 tiles at 93 to 97 % of the channels' peak.
 * Holds when: operands are contiguous and interleaved over all channels.
 */
export function concurrentLoad(load: ConcurrentLoad, chip: MemoryChip): Cycles {
  if (load.bytesPerLoader <= 0 || load.loaders <= 0) return cycles(0)
  const latency =
    load.closedRows === undefined
      ? accessLatency(load.home, chip)
      : knownLatency(load.home, load.closedRows, chip)
  return cycles(latency + streamTime(load, chip))
}

/**
 * Groups that load in lock-step where they ask at the same moment. A load that is served in one turn
 * waits for nobody that comes after it: such loads end one after the other, and the groups have lost
 * their step.
 *
 * Source: of 256 tiles that loaded two rows of 2 KiB each on the reference simulator, the first one
 *   waited for less than half of the bytes of all.
 */
export const groupsInStep = (size: Bytes, groups: number): number =>
  size <= HBM_TURN_BYTES ? Math.min(1, groups) : groups

/**
 * A store beside which the tile goes on: posted, it drains under the cycles until the next one.
 *
 *   t = issue + max( flits , Σ bytes / (η · B) − issue − hidden )
 *
 * Where many tiles store at once, the channels take it at the rate at which they load.
 */
export function drainingStore(load: ConcurrentLoad, hidden: number, chip: MemoryChip): Cycles {
  if (load.bytesPerLoader <= 0 || load.loaders <= 0) return cycles(0)
  const channels = streamTime(load, chip)
  const flits = load.flitsPerLoader ?? Math.ceil(load.bytesPerLoader / chip.noc.flit)
  return cycles(STORE_ISSUE_CYCLES + Math.max(flits, channels - hidden - STORE_ISSUE_CYCLES))
}

/**
 * The same for a store. It is posted: no latency is waited for, and the write buffers take it at
 * 4/3 of the channels' rate.
 */
export function concurrentStore(load: ConcurrentLoad, chip: MemoryChip): Cycles {
  if (load.bytesPerLoader <= 0 || load.loaders <= 0) return cycles(0)
  return cycles(STORE_ISSUE_CYCLES + streamTime(load, chip, POSTED_WRITE_RATE))
}

/**
 * A store of so much that the write buffers fill: the channels take it at the rate at which they
 * load.
 *
 * Source: the closing stores of SUMMA on the reference simulator (resources/published/gemm-runs-2026.json).
 */
export function drainedStore(load: ConcurrentLoad, chip: MemoryChip): Cycles {
  if (load.bytesPerLoader <= 0 || load.loaders <= 0) return cycles(0)
  return cycles(STORE_ISSUE_CYCLES + streamTime(load, chip))
}

/** The same without any latency: the link, the channels or the DMA, whichever takes longest. */
export function streamTime(load: ConcurrentLoad, chip: MemoryChip, acceptance = 1): Cycles {
  const flits = load.flitsPerLoader ?? Math.ceil(load.bytesPerLoader / chip.noc.flit)
  // Two edges share the lines, but a tile still sends one flit per cycle.
  const perLine = load.loadersPerLine / load.home.edgeCount
  const line = Math.max(flits, (load.meanFlitsPerLoader ?? flits) * perLine)
  const channels =
    (load.loaders * load.bytesPerLoader) / (acceptance * chip.hbm.efficiency * load.home.bandwidth)
  return cycles(Math.max(line, channels, load.dmaRows * chip.control.dmaRowIssue))
}

/**
 * Factor by which refresh stretches a time in which the channels never idle.
 *
 * A channel refreshes for 0.26 µs every 3 µs, but may put off some of them: with 128, a busy time
 * under 384 µs sees none; a long one always pays the whole 8.7 %.
 *
 * Source: JEDEC HBM2E timings.
 */
export function refreshStretch(busy: Cycles, chip: Pick<Chip, 'clock' | 'hbm'>): number {
  const { intervalSeconds, durationSeconds } = HBM_REFRESH
  const owed = busy / chip.clock / intervalSeconds - chip.hbm.postponedRefreshes
  if (owed <= 0) return 1
  const lost = (owed * durationSeconds * chip.clock) / busy
  return 1 / (1 - lost)
}

/**
 * Share of a load that its tile has in flight at once: the channels serve that much of it in one go
 * before they turn to another tile that asks at the same moment.
 *
 *   f = min(1, (64 + tiles.x + tiles.y) / flits)
 *
 * Source: window of the network interfaces of the public simulator (OUTSTANDING_FLITS).
 */
export function inFlightShare(size: Bytes, chip: Pick<Chip, 'noc' | 'tiles'>): number {
  const flits = Math.ceil(size / chip.noc.flit)
  return flits > 0 ? Math.min(1, (OUTSTANDING_FLITS + chip.tiles.x + chip.tiles.y) / flits) : 1
}
