import type { Chip } from '#shared/hardware/chip.ts'
import type { Dataflow } from '#shared/mapping/dataflow.ts'
import { flashAttention2, flashAttention3 } from '#shared/models/attention/flash.ts'
import { flatAsync } from '#shared/models/attention/flat-async.ts'
import { flatSync } from '#shared/models/attention/flat-sync.ts'
import type { KernelShape } from '#shared/models/attention/kernel-shape.ts'
import { ExposedTime, segment } from '#shared/models/attention/timeline.ts'
import { chipBarrier } from '#shared/models/collectives/barrier.ts'
import { refreshStretch } from '#shared/models/memory/hbm.ts'
import { closedNetworkCycle, lockStepShare } from '#shared/models/memory/memory-contention.ts'
import { cycles } from '#shared/units/quantity.ts'

/** Channel time, in cycles, that one group needs on each set of channels during the kernel. */
export interface MemoryDemand {
  /** At the sustained rate: the peak times the efficiency. */
  readonly perGroup: readonly number[]
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
  const groups = shape.activeGroups
  const together = kernelTime(dataflow, shape, groups, chip)
  const alone = groups === 1 ? together : kernelTime(dataflow, shape, 1, chip)
  const share = groups === 1 ? 1 : lockStepShare(loadsOfGroup(shape))

  const estimate = (stretch: number) => {
    const demands = demand.perGroup.map(value => value * stretch)
    const busy = Math.max(...demands) * groups
    const think = Math.max(0, alone.total - demands.reduce((sum, value) => sum + value, 0))
    const lockStep = Math.max(together.total, groups === 1 ? 0 : busy)
    const drifted =
      groups === 1
        ? lockStep
        : Math.max(alone.total, busy, closedNetworkCycle(groups, think, demands))
    return { lockStep, drifted, total: share * lockStep + (1 - share) * drifted, stretch }
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
    lockStepShare: share,
    refreshStretch: stretched.stretch,
    floorCycles: demand.floor,
  }
}

/**
 * Loads and stores of a group: Q and O of each row block, K and V of each column block. Where K or V
 * of a block is smaller than Q or O it counts in proportion: groups hardly drift apart in it.
 */
function loadsOfGroup(shape: KernelShape): number {
  const weight = Math.min(1, shape.sliceCols / shape.sliceRows)
  return 2 * (shape.columnBlocksPerGroup * weight + shape.rowBlocksPerGroup)
}

function kernelTime(
  dataflow: Dataflow,
  shape: KernelShape,
  concurrent: number,
  chip: Chip,
): ExposedTime {
  switch (dataflow) {
    case 'fa2':
      return flashAttention2(shape, concurrent, chip)
    case 'fa3':
      return flashAttention3(shape, concurrent, chip)
    case 'flat-sc':
    case 'flat-tc':
    case 'flat-hc':
      return flatSync(dataflow, shape, concurrent, chip)
    case 'flat-async':
      return asynchronousTime(shape, concurrent, chip)
  }
}

/**
 * Jobs run in pairs; one that is left over runs alone, without a partner to hide behind. Where
 * there are no keys there is nothing to interleave.
 */
function asynchronousTime(shape: KernelShape, concurrent: number, chip: Chip): ExposedTime {
  const { jobsPerGroup } = shape
  if (shape.columnBlocksPerGroup === 0) return flatSync('flat-hc', shape, concurrent, chip)
  if (jobsPerGroup % 2 === 0) return flatAsync(shape, concurrent, chip)
  const single = jobs(shape, 1)
  const time = flatSync('flat-hc', single, concurrent, chip)
  if (jobsPerGroup > 1) {
    time.addAll(flatAsync(jobs(shape, jobsPerGroup - 1), concurrent, chip))
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
