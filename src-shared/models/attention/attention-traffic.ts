import type { Chip } from '#shared/hardware/chip.ts'
import { isFlash, type Dataflow } from '#shared/mapping/dataflow.ts'
import type { MemoryDemand } from '#shared/models/attention/attention-time.ts'
import { sharingGroups, type KernelShape } from '#shared/models/attention/kernel-shape.ts'
import { keepsWholeQuery } from '#shared/models/attention/latent-occupancy.ts'
import { groupsPerLine, loadersPerLine } from '#shared/models/attention/loaders-per-line.ts'
import { allChannels, hasTwoAxes, linkBandwidth, operandHome } from '#shared/models/memory/hbm.ts'
import { bytes, type Bytes } from '#shared/units/quantity.ts'
import {
  elementBytes,
  headDimensions,
  headJobs,
  isAbsorbed,
  queryRows,
} from '#shared/workload/attention.ts'

export interface AttentionTraffic {
  readonly queryBytes: Bytes
  readonly keyValueBytes: Bytes
  readonly outputBytes: Bytes
  /** Bytes times the links that they cross, collectives and HBM accesses together. */
  readonly nocBytes: Bytes
  /** Links that an access to HBM crosses on average: of Q and O, and of K and V. */
  readonly rowHops: number
  readonly columnHops: number
  /** Bytes times links of the collectives of one row block, and of one column block. */
  readonly rowBlockLinkBytes: Bytes
  readonly columnBlockLinkBytes: Bytes
}

/**
 * Bytes that a kernel moves.
 *
 *   Q   e · jobs · q · d_k · reads
 *   O   e · jobs · q · d_v, once
 *   K   e · d_k · (columns read over all row blocks): ⌈q/Br⌉ · kv for each job without a mask
 *   V   e · d_v · (the same columns)
 *
 * so FlashAttention reads K and V once per row block of a tile, FlatAttention once per row block of
 * a group: 2·B·H·D·S·(1 + S/(G·M)) elements for a square prefill. Q is read once; where MLA is
 * absorbed once for each column block (see `queryReads`), and its latent twice, as K and as V.
 *
 * Source: arXiv 2604.02110, Section III-C (input and output of FlashAttention and FlatAttention).
 * Ragged slices are padded in L1, not in HBM.
 */
export function attentionTraffic(
  dataflow: Dataflow,
  shape: KernelShape,
  chip: Chip,
): AttentionTraffic {
  const { workload } = shape
  const element = elementBytes(workload.dtype)
  const { score, value } = headDimensions(workload)
  const rows = headJobs(workload) * queryRows(workload)
  const output = element * rows * value
  const queried = isAbsorbed(workload) ? rows : shape.busyRows
  const query = element * queried * score * queryReads(dataflow, shape)
  const keyValue = element * (score + value) * shape.keyColumns
  const rowHops = meanHops('row', chip)
  const columnHops = meanHops('column', chip)
  const perBlock = collectiveLinkBytes(dataflow, shape, element)
  return {
    queryBytes: bytes(query),
    keyValueBytes: bytes(keyValue),
    outputBytes: bytes(output),
    nocBytes: bytes(
      (query + output) * rowHops +
        keyValue * columnHops +
        shape.rowBlocks * perBlock.row +
        shape.columnBlocks * perBlock.column,
    ),
    rowHops,
    columnHops,
    rowBlockLinkBytes: bytes(perBlock.row),
    columnBlockLinkBytes: bytes(perBlock.column),
  }
}

/**
 * How often each row of Q is read: once, or not at all where there are no keys. Where MLA is
 * absorbed the chunks of Q do not stay in L1, so they are read again for each column block (on
 * average over the row blocks, where a mask leaves some out). The FlashMLA that uses all tiles keeps
 * Q, but each tile that splits KV reads it.
 */
export function queryReads(dataflow: Dataflow, shape: KernelShape): number {
  const { workload, rowBlocks, columnBlocks, groupX } = shape
  if (workload.kvLength === 0) return 0
  if (!isAbsorbed(workload)) return 1
  return keepsWholeQuery(dataflow) ? groupX : Math.max(1, columnBlocks / rowBlocks)
}

/** Mean distance in links from a tile to the edge where an operand lies. */
function meanHops(operand: 'row' | 'column', chip: Chip): number {
  const home = operandHome(operand, chip)
  const side = home.axis === 'row' ? chip.tiles.x : chip.tiles.y
  return (side + 1) / 2 / home.edgeCount
}

/** Bytes of the collectives of a row block and of a column block times the links that they cross. */
function collectiveLinkBytes(
  dataflow: Dataflow,
  shape: KernelShape,
  element: number,
): { readonly row: number; readonly column: number } {
  const { groupX, groupY, sliceRows, sliceCols, workload } = shape
  const { score, value } = headDimensions(workload)
  const query = element * sliceRows * score
  const output = element * sliceRows * value
  const stateVector = element * sliceRows
  if (isFlash(dataflow)) {
    // A KV split merges O and the two state vectors of its tiles, as a tree.
    return { row: (output + 2 * stateVector) * linksOf('flat-tc', groupX), column: 0 }
  }
  const keyValue = element * sliceCols * (score + value)
  const rowLinks = groupY * linksOf(dataflow, groupX)
  const columnLinks = groupX * linksOf(dataflow, groupY)
  const queryOfColumn = isAbsorbed(workload) ? query : 0
  return {
    row: (query - queryOfColumn + output) * rowLinks,
    column: keyValue * columnLinks + (queryOfColumn + 4 * stateVector) * rowLinks,
  }
}

/** Links that one collective over a line of n tiles crosses, repeated links counted again. */
function linksOf(dataflow: Dataflow, participants: number): number {
  if (participants <= 1) return 0
  if (dataflow === 'flat-sc') return (participants * (participants - 1)) / 2
  if (dataflow === 'flat-tc') return Math.ceil(Math.log2(participants)) * (participants / 2)
  return participants - 1
}

/** The channel time behind this traffic, per group and as a floor for the whole kernel. */
export function memoryDemand(
  dataflow: Dataflow,
  traffic: AttentionTraffic,
  shape: KernelShape,
  chip: Chip,
): MemoryDemand {
  const rowBytes = traffic.queryBytes + traffic.outputBytes
  const columnBytes = traffic.keyValueBytes
  const stations =
    hasTwoAxes(chip) && !isFlash(dataflow)
      ? [
          { operand: 'row' as const, home: operandHome('row', chip), size: rowBytes },
          { operand: 'column' as const, home: operandHome('column', chip), size: columnBytes },
        ]
      : [
          {
            operand: 'column' as const,
            home: allChannels(chip),
            size: rowBytes + columnBytes,
          },
        ]
  const peakTimes = stations.map(({ home, size }) => size / home.bandwidth)
  const linkTimes = stations.map(({ home, size }) => size / linkBandwidth(home, chip))
  const groups = sharingGroups(shape)
  return {
    links: stations.map(({ home, size, operand }) => ({
      groups: groupsPerLine(shape, groups, home, chip),
      perGroup:
        (size * loadersPerLine(operand, shape, home)) /
        ((operand === 'row' ? shape.groupY : shape.groupX) *
          groups *
          chip.noc.flit *
          home.edgeCount),
    })),
    perGroup: peakTimes.map(time => time / chip.hbm.efficiency / groups),
    floor: Math.max(...peakTimes, ...linkTimes),
  }
}
