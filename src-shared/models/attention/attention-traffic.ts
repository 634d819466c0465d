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
  return {
    queryBytes: bytes(query),
    keyValueBytes: bytes(keyValue),
    outputBytes: bytes(output),
    nocBytes: bytes(
      memoryLinkBytes(query + output, keyValue, chip) +
        collectiveLinkBytes(dataflow, shape, element),
    ),
  }
}

/** HBM bytes times the mean distance from a tile to the edge where they lie. */
function memoryLinkBytes(rowBytes: number, columnBytes: number, chip: Chip): number {
  const distance = (operand: 'row' | 'column') => {
    const home = operandHome(operand, chip)
    const side = home.axis === 'row' ? chip.tiles.x : chip.tiles.y
    return (side + 1) / 2 / home.edgeCount
  }
  return rowBytes * distance('row') + columnBytes * distance('column')
}

/** Bytes of the collectives times the links that they cross. */
function collectiveLinkBytes(dataflow: Dataflow, shape: KernelShape, element: number): number {
  if (isFlash(dataflow)) return 0
  const { groupX, groupY, sliceRows, sliceCols } = shape
  const rowOperand = element * sliceRows * shape.workload.headDim
  const columnOperand = element * sliceCols * shape.workload.headDim
  const stateVector = element * sliceRows
  const rowLinks = groupY * linksOf(dataflow, groupX)
  const columnLinks = groupX * linksOf(dataflow, groupY)
  const perRowBlock = 2 * rowOperand * rowLinks
  const perColumnBlock = 2 * columnOperand * columnLinks + 4 * stateVector * rowLinks
  return shape.rowBlocks * perRowBlock + shape.columnBlocks * perColumnBlock
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
