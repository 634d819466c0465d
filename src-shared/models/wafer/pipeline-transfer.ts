import { chipCount, type Wafer } from '#shared/hardware/wafer.ts'
import type { ChipGroup } from '#shared/models/wafer/chip-groups.ts'
import { estimateExchange, type ExchangeEstimate } from '#shared/models/wafer/estimate-exchange.ts'
import { topologyOf } from '#shared/models/wafer/topology.ts'
import { durationOf } from '#shared/units/convert.ts'
import type { Bytes, Seconds } from '#shared/units/quantity.ts'

/** What it takes to hand the tokens of each pipeline stage to the next. */
export interface PipelineTransfer {
  readonly seconds: Seconds
  readonly estimate: ExchangeEstimate
}

/**
 * Time until every stage has handed its tokens to the next one, all stages at the same moment.
 *
 *   t = T_data / f
 *
 * Member i of a stage sends its tokens to member i of the next; the closed form of an exchange times
 * all transfers together, so that they share the links they have in common. The last stage sends
 * nothing: its tokens go to the head of the model, and the next ones start in the first stage.
 *
 * Source: estimateExchange. The experiments of arXiv 2604.02110 leave this transfer out.
 * Holds when: nothing else is on the links. Short transfers are up to a fifth faster than this.
 * Checked by: test/src-shared/models/wafer/pipeline-transfer.test.ts, against the simulation
 *
 * @param stages in the order of the layers, all with as many chips
 * @param message bytes of one token
 */
export function pipelineTransfer(
  stages: readonly ChipGroup[],
  tokensPerChip: number,
  message: Bytes,
  wafer: Pick<Wafer, 'columns' | 'rows' | 'd2d' | 'artefacts'>,
): PipelineTransfer {
  const topology = topologyOf(wafer.d2d.topology, wafer)
  const destinations = Array.from({ length: chipCount(wafer) }, () => new Int32Array(0))
  for (const [stage, { chips }] of stages.slice(0, -1).entries()) {
    for (const [member, chip] of chips.entries()) {
      const next = stages[stage + 1]?.chips[member]
      if (next !== undefined) destinations[chip] = new Int32Array(tokensPerChip).fill(next)
    }
  }
  const flitsPerMessage = Math.ceil(message / wafer.d2d.flit)
  const estimate = estimateExchange({ destinations, flitsPerMessage }, topology, wafer)
  return { seconds: durationOf(estimate.lastData, wafer.d2d.clock), estimate }
}
