import { isFlashMla, type Dataflow } from '#shared/mapping/dataflow.ts'
import type { KernelShape } from '#shared/models/attention/kernel-shape.ts'
import {
  latentCosts,
  type KeyChunkCosts,
  type LatentCosts,
  type ValueChunkCosts,
} from '#shared/models/attention/latent-costs.ts'
import { keepsWholeQuery } from '#shared/models/attention/latent-occupancy.ts'
import type { LatentData } from '#shared/models/event/latent/latent-data.ts'
import { LatentOperands } from '#shared/models/event/latent/latent-operands.ts'
import { lineCollectives, type LineCollectives } from '#shared/models/event/line-collectives.ts'
import type { TileMachine } from '#shared/models/event/tile-machine.ts'

/** What all tiles of a kernel of absorbed MLA share. */
export class LatentKernelPrograms {
  readonly machine: TileMachine
  readonly shape: KernelShape
  readonly costs: LatentCosts
  readonly operands: LatentOperands
  readonly collectives: LineCollectives
  readonly keepsWholeQuery: boolean
  /** Tiles load for themselves and share nothing but, where they split KV, their results. */
  readonly isFlash: boolean
  readonly data: LatentData | undefined

  constructor(
    dataflow: Dataflow,
    shape: KernelShape,
    machine: TileMachine,
    data: LatentData | undefined,
  ) {
    this.machine = machine
    this.data = data
    this.shape = shape
    this.costs = latentCosts(shape, machine.chip)
    this.isFlash = isFlashMla(dataflow)
    this.operands = new LatentOperands(shape, machine.chip, this.isFlash)
    this.collectives = lineCollectives(dataflow, machine)
    this.keepsWholeQuery = keepsWholeQuery(dataflow)
  }

  keyCosts(chunk: number): KeyChunkCosts {
    const key = this.costs.keys[chunk]
    if (key === undefined) throw new RangeError(`no chunk ${String(chunk)} of the scores`)
    return key
  }

  valueCosts(chunk: number): ValueChunkCosts {
    const value = this.costs.values[chunk]
    if (value === undefined) throw new RangeError(`no chunk ${String(chunk)} of the output`)
    return value
  }
}
