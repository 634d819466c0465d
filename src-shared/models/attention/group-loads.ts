import type { Chip } from '#shared/hardware/chip.ts'
import type { ClosedRows } from '#shared/models/attention/closed-rows.ts'
import { keyRows, type KernelShape } from '#shared/models/attention/kernel-shape.ts'
import { loadersPerLine } from '#shared/models/attention/loaders-per-line.ts'
import { loadedSlices } from '#shared/models/attention/loaded-slices.ts'
import type { TileCosts } from '#shared/models/attention/tile-costs.ts'
import { flitsOf } from '#shared/models/collectives/hardware-collectives.ts'
import {
  concurrentLoad,
  concurrentStore,
  operandHome,
  type ConcurrentLoad,
} from '#shared/models/memory/hbm.ts'
import { bytes, type Bytes, type Cycles } from '#shared/units/quantity.ts'

/** HBM times of one block of FlatAttention, all groups at once. */
export interface GroupLoads {
  readonly query: Cycles
  readonly key: Cycles
  readonly value: Cycles
  /** K and V queued together: one latency. */
  readonly keyAndValue: Cycles
  readonly outputStore: Cycles
}

/**
 * HBM times when `concurrentGroups` load or store a block at the same time: for each row of a
 * group one tile loads Q and stores O, for each column one loads K and V. On a square group those
 * are the tiles of the diagonal, so that no two use the same column of links.
 */
export function groupLoads(
  shape: KernelShape,
  concurrentGroups: number,
  costs: TileCosts,
  chip: Chip,
  closed: ClosedRows,
): GroupLoads {
  const slices = loadedSlices(shape)
  const load = (operand: 'row' | 'column', size: Bytes, closedRows: number, dmaRows = 1): ConcurrentLoad => {
    const { mean, largest } = slices[operand]
    const home = operandHome(operand, chip)
    const loaders = concurrentGroups * (operand === 'row' ? shape.groupY : shape.groupX)
    return {
      home,
      loaders,
      loadersPerLine: loadersPerLine(operand, shape, home),
      bytesPerLoader: bytes(size * mean),
      flitsPerLoader: flitsOf(bytes(size * largest), chip),
      meanFlitsPerLoader: flitsOf(bytes(size * mean), chip),
      dmaRows,
      closedRows,
    }
  }
  const rows = keyRows(shape, chip)
  return {
    query: concurrentLoad(load('row', costs.query, closed.query), chip),
    key: concurrentLoad(load('column', costs.key, closed.key, rows), chip),
    value: concurrentLoad(load('column', costs.value, closed.value), chip),
    keyAndValue: concurrentLoad(load('column', bytes(costs.key + costs.value), closed.value, rows), chip),
    outputStore: concurrentStore(load('row', costs.outputRows, 0), chip),
  }
}
