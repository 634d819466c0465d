import { tileCount, type Chip } from '#shared/hardware/chip.ts'
import { peakHbmBandwidth } from '#shared/models/memory/hbm.ts'
import { sumOfParts, vectorPart, type VectorPart } from '#shared/models/vector/vector-parts.ts'
import { vectorTime, type VectorTime } from '#shared/models/vector/vector-time.ts'
import type { Bound } from '#shared/results/attention-result.ts'
import {
  vectorComponents,
  type VectorComponent,
  type VectorResult,
} from '#shared/results/vector-result.ts'
import { durationOf, perCycle } from '#shared/units/convert.ts'
import { cycles } from '#shared/units/quantity.ts'
import { elementBytes } from '#shared/workload/attention.ts'
import { tokenBytes, vectorL1Bytes, type VectorWorkload } from '#shared/workload/vector.ts'

/** Until all tiles are through, or until tile 0 is, as the timer of the public kernels. */
export type VectorTiming = 'all-tiles' | 'first-tile'

/** The numbers of a vector kernel with what they were made of. */
export interface VectorKernel {
  readonly result: VectorResult
  readonly workload: VectorWorkload
  readonly timing: VectorTiming
  readonly time: VectorTime
  /** What `result.cycles` is made of. */
  readonly parts: readonly VectorPart[]
  /** Lanes of all vector engines of the chip. */
  readonly lanes: number
}

/** Cycles of some parts by component. */
export const cyclesByComponent = (
  parts: readonly VectorPart[],
): Readonly<Record<VectorComponent, number>> => {
  const of = (component: VectorComponent) =>
    sumOfParts(parts.filter(part => part.component === component))
  return {
    vector: of('vector'),
    scalar: of('scalar'),
    hbm: of('hbm'),
    noc: of('noc'),
    other: of('other'),
  }
}

/**
 * Simulates one vector kernel in phases.
 *
 * Every number is finite and none negative; utilisations are at most 1; all tiles take at least as
 * long as tile 0 and as the HBM bytes at the peak of the channels.
 */
export const vectorKernel = (
  workload: VectorWorkload,
  timing: VectorTiming,
  chip: Chip,
): VectorKernel => timedVectorKernel(vectorTime(workload, chip), workload, timing, chip)

/** The numbers of a kernel whose times are known; they are never under the floor of `vectorKernel`. */
export function timedVectorKernel(
  time: VectorTime,
  workload: VectorWorkload,
  timing: VectorTiming,
  chip: Chip,
): VectorKernel {
  const { tokens, dtype } = workload
  const perToken = tokenBytes(workload)
  const hbmReadBytes = tokens * perToken.read
  const hbmWriteBytes = tokens * perToken.written
  const peak = peakHbmBandwidth(chip)
  const operations = tokens * time.work.operations
  const lanesOfEngine = Math.max(1, Math.floor((chip.vectorEngine.fpus * 8) / elementBytes(dtype)))
  const lanes = tileCount(chip) * chip.vectorEngine.count * lanesOfEngine
  const cyclesFirstTile = sumOfParts(time.firstTile)
  const floor = Math.max(
    (hbmReadBytes + hbmWriteBytes) / perCycle(peak, chip.clock),
    cyclesFirstTile,
  )
  const wait = Math.max(0, floor - sumOfParts(time.allTiles))
  const allTiles = [...time.allTiles, vectorPart('hbm', wait, 'wait for the channels', '')]
  const cyclesAllTiles = sumOfParts(allTiles)
  const parts = timing === 'first-tile' ? time.firstTile : allTiles
  const byComponent = cyclesByComponent(parts)
  const total = timing === 'first-tile' ? cyclesFirstTile : cyclesAllTiles
  const used = (amount: number, perCycleOfChip: number) =>
    Math.min(1, amount / (perCycleOfChip * cyclesAllTiles))
  return {
    workload,
    timing,
    time,
    parts,
    lanes,
    result: {
      cycles: total,
      seconds: durationOf(cycles(total), chip.clock),
      cyclesFirstTile,
      cyclesAllTiles,
      hbmReadBytes,
      hbmWriteBytes,
      hbmBandwidthUtilization: used(hbmReadBytes + hbmWriteBytes, perCycle(peak, chip.clock)),
      vectorUtilization: used(operations, lanes),
      l1PeakBytes: vectorL1Bytes(workload),
      bound: vectorBound(byComponent),
      mapping: {
        activeTiles: Math.min(tokens, tileCount(chip)),
        tokensPerTile: time.rounds,
        enginesPerToken: enginesPerToken(workload, chip),
      },
      breakdown: vectorComponents.map(component => ({
        component,
        seconds: durationOf(cycles(byComponent[component]), chip.clock),
      })),
      peakHbmBytesPerSecond: peak,
    },
  }
}

/** RMSNorm sums a row on one engine; selection and dispatch run on a scalar core. */
function enginesPerToken({ kernel }: VectorWorkload, chip: Chip): number {
  if (kernel === 'top-k' || kernel === 'dispatch') return 0
  return kernel === 'rms-norm' ? 1 : chip.vectorEngine.count
}

/** Time by what binds it. */
export const boundCycles = (
  byComponent: Readonly<Record<VectorComponent, number>>,
): Readonly<Record<Bound, number>> => ({
  compute: byComponent.vector + byComponent.scalar,
  memory: byComponent.hbm,
  noc: byComponent.noc,
  synchronization: byComponent.other,
})

/** What the largest part of the time is spent on. */
function vectorBound(byComponent: Readonly<Record<VectorComponent, number>>): Bound {
  const shares = boundCycles(byComponent)
  const bounds: readonly Bound[] = ['compute', 'memory', 'noc', 'synchronization']
  return bounds.reduce((most, bound) => (shares[bound] > shares[most] ? bound : most))
}
