import type { CarriedState } from '#shared/models/event/attention/attention-data.ts'
import { addTo, rescaleFactors, scaleRows } from '#shared/models/event/check/block-arithmetic.ts'
import type { CheckedOperation } from '#shared/models/event/check/checked-operations.ts'
import type { NumberFormat } from '#shared/models/event/check/number-format.ts'
import type { TileBuffers as AllBuffers } from '#shared/models/event/check/tile-buffers.ts'

/** The state of a row block, and the part of O that it belongs to. */
export type StateBuffers = Pick<
  AllBuffers,
  'maximum' | 'sum' | 'carriedMaximum' | 'carriedSum' | 'factor' | 'output'
>

type Update = Omit<CheckedOperation, 'tile'>

/** After the first column block: maximum and sum are those of the block, O is to be computed yet. */
export function firstState(
  { maximum, sum, carriedMaximum, carriedSum }: Omit<StateBuffers, 'output'>,
  state: CarriedState,
): Update | undefined {
  if (state === 'output') return undefined
  const [from, to] = state === 'maximum' ? [maximum, carriedMaximum] : [sum, carriedSum]
  return {
    name: `the first ${state}`,
    reads: [from],
    writes: [to],
    compute: ([block]) => block?.set(from.values),
  }
}

/**
 * After a later one, with f = e^(m_before − m):  m_before ← m,  l ← l·f + Σ,  O ← O·f.
 *
 * @param scale of the scores: 1/√d
 */
export function nextState(
  buffers: StateBuffers,
  state: CarriedState,
  scale: number,
  format: NumberFormat,
): Update {
  const { maximum, sum, carriedMaximum, carriedSum, factor, output } = buffers
  switch (state) {
    case 'maximum':
      return {
        name: 'the update of the row maxima',
        reads: [maximum],
        updates: [carriedMaximum],
        writes: [factor],
        compute: ([before, factors]) => {
          if (before === undefined || factors === undefined) return
          rescaleFactors(factors, before, maximum.values, scale, format)
          before.set(maximum.values)
        },
      }
    case 'sum':
      return {
        name: 'the update of the row sums',
        reads: [sum, factor],
        updates: [carriedSum],
        compute: ([total]) => {
          if (total === undefined) return
          scaleRows(total, factor.values, format)
          addTo(total, sum.values, format)
        },
      }
    case 'output':
      return {
        name: 'the rescaling of O',
        reads: [factor],
        updates: [output],
        compute: ([block]) => {
          if (block !== undefined) scaleRows(block, factor.values, format)
        },
      }
  }
}
