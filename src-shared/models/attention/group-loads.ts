import type { Chip } from '#shared/hardware/chip.ts'
import type { ClosedRows } from '#shared/models/attention/closed-rows.ts'
import { keyRows, type KernelShape } from '#shared/models/attention/kernel-shape.ts'
import { groupsPerLine, loadersPerLine } from '#shared/models/attention/loaders-per-line.ts'
import { loadedSlices } from '#shared/models/attention/loaded-slices.ts'
import type { TileCosts } from '#shared/models/attention/tile-costs.ts'
import { flitsOf } from '#shared/models/collectives/hardware-collectives.ts'
import {
  concurrentLoad,
  concurrentStore,
  drainingStore,
  groupsInStep,
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

/** What a tile does between a store and the clearing of O for the next row block. */
export const betweenStores = (costs: TileCosts, chip: Pick<Chip, 'control'>): number =>
  chip.control.dmaLocal + 2 * costs.sync

/**
 * Cycles of other work under which a store drains, on average, where nothing but zeros is stored: those
 * between two stores, of which there is one less.
 */
export const hiddenStore = (
  { rowBlocksPerGroup }: Pick<KernelShape, 'rowBlocksPerGroup'>,
  between: number,
): number => (between * (rowBlocksPerGroup - 1)) / rowBlocksPerGroup

/**
 * HBM times when `concurrentGroups` load or store a block at the same time: for each row of a
 * group one tile loads Q and stores O, for each column one loads K and V. On a square group those
 * are the tiles of the diagonal, so that no two use the same column of links.
 *
 * Groups that share lines of links stay in step there: a group waits for the slowest of its loaders, on
 * several lines, so that none gets ahead of the others.
 *
 * @param linksInStep false where loads have slack under matrix operations, which lets groups drift
 */
export function groupLoads(
  shape: KernelShape,
  concurrentGroups: number,
  costs: TileCosts,
  chip: Chip,
  closed: ClosedRows,
  linksInStep = true,
): GroupLoads {
  const slices = loadedSlices(shape)
  const block = (operand: 'row' | 'column', size: Bytes, groups: number): ConcurrentLoad => {
    const { mean, largest } = slices[operand]
    const home = operandHome(operand, chip)
    return {
      home,
      loaders: groups * (operand === 'row' ? shape.groupY : shape.groupX),
      loadersPerLine:
        loadersPerLine(operand, shape, home) *
        (linksInStep ? groupsPerLine(shape, groups, home, chip) : 1),
      bytesPerLoader: bytes(size * mean),
      flitsPerLoader: flitsOf(bytes(size * largest), chip),
      meanFlitsPerLoader: flitsOf(bytes(size * mean), chip),
      dmaRows: 1,
    }
  }
  const inStep = (slice: Bytes) => groupsInStep(slice, concurrentGroups)
  const dmaRows = keyRows(shape, chip)
  const keyAndValue = bytes(costs.key + costs.value)
  const slicesInStep = Math.max(inStep(costs.key), inStep(costs.value))
  const key = block('column', costs.key, inStep(costs.key))
  const both = block('column', keyAndValue, slicesInStep)
  const value = block('column', costs.value, inStep(costs.value))
  const store = block('row', costs.outputRows, concurrentGroups)
  const query = block('row', costs.query, inStep(costs.query))
  return {
    query: concurrentLoad({ ...query, closedRows: closed.query }, chip),
    key: concurrentLoad({ ...key, closedRows: closed.key, dmaRows }, chip),
    value: concurrentLoad({ ...value, closedRows: closed.value }, chip),
    keyAndValue: concurrentLoad({ ...both, closedRows: closed.value, dmaRows }, chip),
    outputStore:
      shape.busyRowBlocksPerGroup > 0
        ? concurrentStore(store, chip)
        : drainingStore(
            store,
            hiddenStore(shape, costs.clearOutput + betweenStores(costs, chip)),
            chip,
          ),
  }
}
