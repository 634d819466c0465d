import type { Chip } from '#shared/hardware/chip.ts'
import type { Dataflow } from '#shared/mapping/dataflow.ts'
import { flashAttention2, flashAttention3 } from '#shared/models/attention/flash.ts'
import { flatAsync } from '#shared/models/attention/flat-async.ts'
import { flatSync } from '#shared/models/attention/flat-sync.ts'
import { closedRows, type ClosedRows } from '#shared/models/attention/closed-rows.ts'
import { sharingGroups, type KernelShape } from '#shared/models/attention/kernel-shape.ts'
import { latentAsync } from '#shared/models/attention/latent-async.ts'
import { latentChunks } from '#shared/models/attention/latent-chunks.ts'
import { chunkWidth } from '#shared/models/attention/latent-occupancy.ts'
import { latentSync } from '#shared/models/attention/latent-sync.ts'
import { ExposedTime, segment } from '#shared/models/attention/timeline.ts'
import { chipBarrier } from '#shared/models/collectives/barrier.ts'
import { groupsInStep, inFlightShare, refreshStretch } from '#shared/models/memory/hbm.ts'
import { closedNetworkCycle, lockStepShare } from '#shared/models/memory/memory-contention.ts'
import { bytes, cycles, type Bytes } from '#shared/units/quantity.ts'
import { elementBytes, headDimensions, isAbsorbed } from '#shared/workload/attention.ts'

/** Channel time, in cycles, that one group needs on each set of channels during the kernel. */
export interface MemoryDemand {
  /** At the sustained rate: the peak times the efficiency. */
  readonly perGroup: readonly number[]
  /** The lines of links to them: how many groups share one, and for how many cycles each needs it. */
  readonly links: readonly { readonly groups: number; readonly perGroup: number }[]
  /** All bytes at the peak of the channels and of the links to them: no kernel is faster. */
  readonly floor: number
}

/** A kernel's time with the two limits between which contention puts it. */
export interface AttentionTime {
  readonly time: ExposedTime
  /** Without anybody else on HBM. */
  readonly aloneCycles: number
  /** Where all groups ask for memory at the same moments. */
  readonly lockStepCycles: number
  /** Where the groups have drifted apart and queue at random. */
  readonly driftedCycles: number
  readonly lockStepShare: number
  readonly refreshStretch: number
  /** All bytes at the peak of the channels and of the links to them. */
  readonly floorCycles: number
  /** How many loads of each operand find their row of memory closed. */
  readonly closedRows: ClosedRows
}

/**
 * Time of an attention kernel whose groups share HBM.
 *
 *   T = w · T_lock + (1 − w) · T_drift
 *
 * T_lock   every load takes as long as if all groups asked for it together
 * T_drift  groups that queue for the channels at independent moments: the cycle of a closed network
 *          in which each group computes for T_alone − D and queues for D
 * w        share of the loads that still happen in lock-step
 *
 * Where MLA is absorbed, loads are chunks so small that a tile asks for much of one at once. Then the
 * channels serve group after group, and groups drift apart with the first load: where lock-step is the
 * slower of the two, w is multiplied by the share of a chunk that is not in flight at once.
 *
 * Refresh stretches D once the channels have no idle time left to refresh in.
 *
 * Source: the two limits are exact for their assumption; the drift was measured on the reference
 *   simulator (LOCK_STEP_LOADS).
 * Holds when: the groups do not wait for each other, as in all kernels here.
 */
export function attentionTime(
  dataflow: Dataflow,
  shape: KernelShape,
  demand: MemoryDemand,
  chip: Chip,
): AttentionTime {
  const groups = sharingGroups(shape)
  const closed = closedRows(dataflow, shape, chip)
  const together = kernelTime(dataflow, shape, groups, chip, closed)
  const alone = groups === 1 ? together : kernelTime(dataflow, shape, 1, chip, closed)
  const estimate = (stretch: number) => {
    const demands = demand.perGroup.map(value => value * stretch)
    const busy = Math.max(...demands) * groups
    const think = Math.max(0, alone.total - demands.reduce((sum, value) => sum + value, 0))
    const inStep = Math.max(together.total, groups === 1 ? 0 : busy)
    const drifted =
      groups === 1
        ? inStep
        : Math.max(
            alone.total,
            busy,
            closedNetworkCycle(groups, think, demands),
            ...demand.links.map(link => queuesAtLinks(link, alone.total)),
          )
    // Loads of a single turn are in lock-step with nobody, and wait as where all have drifted apart.
    const lockStep = hasLongLoads(shape) ? inStep : Math.max(inStep, drifted)
    const share = groups === 1 ? 1 : shareInLockStep(shape, lockStep > drifted, chip)
    return { lockStep, drifted, share, total: share * lockStep + (1 - share) * drifted, stretch }
  }
  const unstretched = estimate(1)
  const stretch = refreshStretch(cycles(unstretched.total), chip)
  const stretched = stretch === 1 ? unstretched : estimate(stretch)
  const total = Math.max(stretched.total, demand.floor)
  const time = new ExposedTime()
  time.addAll(alone)
  time.add(
    [segment('hbm', Math.max(0, total - alone.total), 'runtime less T_alone')],
    'waiting for channels that are busy',
  )
  return {
    time,
    aloneCycles: alone.total,
    lockStepCycles: stretched.lockStep,
    driftedCycles: stretched.drifted,
    lockStepShare: stretched.share,
    refreshStretch: stretched.stretch,
    floorCycles: demand.floor,
    closedRows: closed,
  }
}

/** The same as for channels; at a link the flits of who comes first go first, so no lock-step lasts. */
const queuesAtLinks = (
  { groups, perGroup }: MemoryDemand['links'][number],
  alone: number,
): number => closedNetworkCycle(groups, Math.max(0, alone - perGroup), [perGroup])

/** Share of the loads that the groups of a kernel make in lock-step. */
function shareInLockStep(shape: KernelShape, isLockStepSlower: boolean, chip: Chip): number {
  if (!isAbsorbed(shape.workload)) return lockStepShare(loadsOfGroup(shape))
  const share = lockStepShare(loadsOfLatent(shape))
  return isLockStepSlower ? share * (1 - inFlightShare(chunkBytes(shape), chip)) : share
}

/**
 * Loads and stores of a group: Q and O of each row block, K and V of each column block. Where K or V
 * of a block is smaller than Q or O, or the end of KV does not fill a block, it counts in proportion:
 * groups hardly drift apart in it.
 */
function loadsOfGroup(shape: KernelShape): number {
  const { sliceRows, sliceCols, groupX, columnBlocks, keyColumns } = shape
  const filled = columnBlocks > 0 ? keyColumns / (columnBlocks * groupX * sliceCols) : 1
  const weight = hasLongLoads(shape) ? filled * Math.min(1, sliceCols / sliceRows) : 0
  return 2 * (shape.columnBlocksPerGroup * weight + shape.rowBlocksPerGroup)
}

/** Whether K or V of a slice takes more than a turn of the channels; chunks of MLA are judged apart. */
function hasLongLoads({ workload, sliceCols }: KernelShape): boolean {
  if (isAbsorbed(workload)) return true
  const { score, value } = headDimensions(workload)
  const slice = bytes(elementBytes(workload.dtype) * sliceCols * Math.max(score, value))
  return groupsInStep(slice, 2) > 1
}

/** The same where MLA is absorbed: each in chunks, Q for each column block. */
function loadsOfLatent(shape: KernelShape): number {
  const { latent, rope } = latentChunks(shape.workload)
  return (
    shape.columnBlocksPerGroup * (3 * latent.length + 2 * rope.length) +
    shape.rowBlocksPerGroup * latent.length
  )
}

const chunkBytes = ({ workload, sliceCols }: KernelShape): Bytes =>
  bytes(elementBytes(workload.dtype) * sliceCols * chunkWidth(workload))

function kernelTime(
  dataflow: Dataflow,
  shape: KernelShape,
  concurrent: number,
  chip: Chip,
  closed: ClosedRows,
): ExposedTime {
  switch (dataflow) {
    case 'flash-mla':
    case 'flash-mla-fair':
      return latentSync(dataflow, shape, concurrent, chip, closed)
    case 'fa2':
      return flashAttention2(shape, concurrent, chip, closed)
    case 'fa3':
      return flashAttention3(shape, concurrent, chip, closed)
    case 'flat-sc':
    case 'flat-tc':
    case 'flat-hc':
      return synchronousTime(dataflow, shape, concurrent, chip, closed)
    case 'flat-async':
      return asynchronousTime(shape, concurrent, chip, closed)
  }
}

const synchronousTime = (
  dataflow: Dataflow,
  shape: KernelShape,
  concurrent: number,
  chip: Chip,
  closed: ClosedRows,
): ExposedTime =>
  isAbsorbed(shape.workload)
    ? latentSync(dataflow, shape, concurrent, chip, closed)
    : flatSync(dataflow, shape, concurrent, chip, closed)

/**
 * Jobs run in pairs; one that is left over runs alone, without a partner to hide behind. Where
 * there are no keys there is nothing to interleave.
 */
function asynchronousTime(
  shape: KernelShape,
  concurrent: number,
  chip: Chip,
  closed: ClosedRows,
): ExposedTime {
  const { jobsPerGroup } = shape
  const interleaved = isAbsorbed(shape.workload) ? latentAsync : flatAsync
  if (shape.columnBlocksPerGroup === 0)
    return synchronousTime('flat-hc', shape, concurrent, chip, closed)
  if (jobsPerGroup % 2 === 0) return interleaved(shape, concurrent, chip, closed)
  const single = jobs(shape, 1)
  const time = synchronousTime('flat-hc', single, concurrent, chip, closed)
  if (jobsPerGroup > 1) {
    time.addAll(interleaved(jobs(shape, jobsPerGroup - 1), concurrent, chip, closed))
    time.add([segment('other', -2 * chipBarrier(chip), 'barriers of the chip')], 'counted twice')
  }
  return time
}

/** The same kernel with another number of jobs on each group. */
const jobs = (shape: KernelShape, count: number): KernelShape => ({
  ...shape,
  jobsPerGroup: count,
  rowBlocksPerGroup: (shape.rowBlocksPerGroup / shape.jobsPerGroup) * count,
  busyRowBlocksPerGroup: (shape.busyRowBlocksPerGroup / shape.jobsPerGroup) * count,
  columnBlocksPerGroup: (shape.columnBlocksPerGroup / shape.jobsPerGroup) * count,
})
