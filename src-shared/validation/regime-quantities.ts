import type { Dataflow } from '#shared/mapping/dataflow.ts'
import type { AttentionInput } from '#shared/schema/attention-input.ts'
import type { ChipConfig } from '#shared/schema/chip.ts'
import { resolveWorkload, type WorkloadConfig } from '#shared/schema/workload.ts'
import {
  deepSeekDimensions,
  latentDimensions,
  type LatentDimensions,
} from '#shared/workload/attention.ts'

/** What decides whether measurements of one kernel say something about another. */
export interface Regime {
  readonly variant: WorkloadConfig['variant']
  readonly phase: WorkloadConfig['phase']
  readonly dataflow: Dataflow
  readonly dtype: WorkloadConfig['dtype']
  readonly causal: boolean
  /** Of MLA: the dimensions of DeepSeek; true for the other variants. */
  readonly isDeepSeek: boolean
  readonly headDim: number
  /** Query rows of a sequence and head: tokens of a prefill, speculative tokens of a decode step. */
  readonly queryRows: number
  readonly kvLength: number
  readonly tiles: number
  /** Peak HBM bytes for each tile and cycle of the chip. */
  readonly bytesPerTileCycle: number
  /** Multiply-add units of a tile. */
  readonly matrixUnits: number
  /** 64-bit floating-point units of all vector engines of a tile. */
  readonly vectorUnits: number
  readonly linkBits: number
}

type ChipQuantity = 'tiles' | 'bytesPerTileCycle' | 'matrixUnits' | 'vectorUnits' | 'linkBits'

export function chipQuantities(chip: ChipConfig): Pick<Regime, ChipQuantity> {
  const { west, north, east, south } = chip.hbm.channels
  const tiles = chip.tiles.x * chip.tiles.y
  const bytesPerNs = (west + north + east + south) * chip.hbm.channelGBps
  return {
    tiles,
    bytesPerTileCycle: bytesPerNs / chip.clockGHz / tiles,
    matrixUnits: chip.matrixEngine.height * chip.matrixEngine.width,
    vectorUnits: chip.vectorEngine.count * chip.vectorEngine.fpus,
    linkBits: chip.noc.linkBits,
  }
}

export function regimeOf(input: Pick<AttentionInput, 'chip' | 'workload' | 'dataflow'>): Regime {
  const { chip, workload, dataflow } = input
  const { variant, phase, dtype, causal, headDim, kvLength, speculativeLength } = workload
  const isDeepSeek =
    variant !== 'mla' ||
    Object.entries(latentDimensions(resolveWorkload(workload))).every(
      ([field, value]) => value === deepSeekDimensions[field as keyof LatentDimensions],
    )
  return {
    ...{ variant, phase, dataflow, dtype, causal, isDeepSeek, headDim, kvLength },
    queryRows: phase === 'decode' ? speculativeLength : workload.queryLength,
    ...chipQuantities(chip),
  }
}
