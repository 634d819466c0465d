import type { Dataflow } from '#shared/mapping/dataflow.ts'
import type { ResultDocument } from '#shared/results/result-document.ts'
import type { AttentionInput } from '#shared/schema/attention-input.ts'

/** A dataflow with its predicted time, or with the reason why it has none. */
export type DataflowCandidate =
  | {
      readonly dataflow: Dataflow
      readonly cycles: number
      readonly seconds: number
      /** Runtime over that of the chosen one, less 1. */
      readonly slowdown: number
    }
  | { readonly dataflow: Dataflow; readonly reason: string }

/** The fastest dataflow changes from `before` to `after` when the length reaches `length`. */
export interface DataflowChange {
  readonly length: number
  readonly before: Dataflow
  readonly after: Dataflow
}

/** Where the choice would be another, everything but one length left as it is. */
export interface DataflowCrossover {
  /** Queries and keys together in a square prefill, else the keys alone. */
  readonly axis: 'sequenceLength' | 'kvLength'
  /** What was searched, in tokens. */
  readonly from: number
  readonly to: number
  /** In ascending order. */
  readonly changes: readonly DataflowChange[]
  /** The nearest length at which Flash and Flat change places; null where they never do. */
  readonly length: number | null
}

/** How `auto` came to its dataflow. */
export interface DataflowSelection {
  readonly chosen: Dataflow
  /** Fastest first; those without a time last. */
  readonly candidates: readonly DataflowCandidate[]
  /** The fastest of the other family: of Flash where a Flat one was chosen, and the reverse. */
  readonly alternative: { readonly dataflow: Dataflow; readonly slowdown: number } | null
  readonly crossover: DataflowCrossover
}

/** `selection` is there where the dataflow was left to be chosen. */
export type AttentionDocument = ResultDocument<AttentionInput> & {
  readonly selection?: DataflowSelection
}
