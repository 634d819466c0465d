import type { Chip } from '#shared/hardware/chip.ts'
import { isFlash, type Dataflow } from '#shared/mapping/dataflow.ts'
import type { MemoryDemand } from '#shared/models/attention/attention-time.ts'
import type { KernelShape } from '#shared/models/attention/kernel-shape.ts'
import { allChannels, hasTwoAxes, linkBandwidth, operandHome } from '#shared/models/memory/hbm.ts'
import { bytes, type Bytes } from '#shared/units/quantity.ts'
import { elementBytes, headJobs, queryRows } from '#shared/workload/attention.ts'

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
 *   Q, O   e · jobs · q · d each, once
 *   K, V   2 · e · d · (columns read over all row blocks): ⌈q/Br⌉ · kv for each job without a mask
 *
 * so FlashAttention reads K and V once per row block of a tile, FlatAttention once per row block of
 * a group: 2·B·H·D·S·(1 + S/(G·M)) elements for a square prefill.
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
  const jobs = headJobs(workload)
  const output = element * jobs * queryRows(workload) * workload.headDim
  const query = workload.kvLength === 0 ? 0 : output
  const keyValue = 2 * element * workload.headDim * shape.keyColumns
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
  if (isFlash(dataflow)) return { row: 0, column: 0 }
  const { groupX, groupY, sliceRows, sliceCols } = shape
  const rowOperand = element * sliceRows * shape.workload.headDim
  const columnOperand = element * sliceCols * shape.workload.headDim
  const stateVector = element * sliceRows
  const rowLinks = groupY * linksOf(dataflow, groupX)
  const columnLinks = groupX * linksOf(dataflow, groupY)
  return {
    row: 2 * rowOperand * rowLinks,
    column: 2 * columnOperand * columnLinks + 4 * stateVector * rowLinks,
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
          { home: operandHome('row', chip), size: rowBytes },
          { home: operandHome('column', chip), size: columnBytes },
        ]
      : [{ home: allChannels(chip), size: rowBytes + columnBytes }]
  const peakTimes = stations.map(({ home, size }) => size / home.bandwidth)
  const linkTimes = stations.map(({ home, size }) => size / linkBandwidth(home, chip))
  return {
    perGroup: peakTimes.map(time => time / chip.hbm.efficiency / shape.activeGroups),
    floor: Math.max(...peakTimes, ...linkTimes),
  }
}
