import type { AttentionTensors } from '#shared/models/event/check/attention-tensors.ts'
import {
  headDimensions,
  queryPositions,
  queryRows,
  sharedHeads,
  type AttentionWorkload,
} from '#shared/workload/attention.ts'

/**
 * Rows of a head job in the tensors. A job is one KV head of one sequence; its query rows are those
 * of the query heads that share it, position by position.
 */
export class JobRows {
  readonly rowsOfJob: number
  private readonly workload: AttentionWorkload
  private readonly positions: number
  private readonly headsOfJob: number

  constructor(workload: AttentionWorkload) {
    this.workload = workload
    this.positions = queryPositions(workload)
    this.rowsOfJob = queryRows(workload)
    this.headsOfJob = workload.heads / sharedHeads(workload)
  }

  /** Row of the Q and O tensors that is row `row` of a job. */
  queryRow(job: number, row: number): number {
    const head = job * this.headsOfJob + (row % this.headsOfJob)
    return head * this.positions + Math.floor(row / this.headsOfJob)
  }

  /** KV columns that a row of a job sees, from the first on. */
  seen(row: number): number {
    const { causal, kvLength } = this.workload
    if (!causal) return kvLength
    return Math.floor(row / this.headsOfJob) + 1 + kvLength - this.positions
  }

  /** Copies rows into a slice; what the slice has beyond them is left. */
  loadQuery(target: Float64Array, { query }: AttentionTensors, job: number, first: number): void {
    const { score } = headDimensions(this.workload)
    const count = Math.min(target.length / score, this.rowsOfJob - first)
    for (let row = 0; row < count; row++) {
      const from = this.queryRow(job, first + row) * score
      target.set(query.subarray(from, from + score), row * score)
    }
  }

  /** The same of K or V. */
  loadColumns(
    target: Float64Array,
    tensors: AttentionTensors,
    operand: 'key' | 'value',
    job: number,
    first: number,
  ): void {
    const { score, value } = headDimensions(this.workload)
    const width = operand === 'key' ? score : value
    const { kvLength } = this.workload
    const count = Math.min(target.length / width, kvLength - first)
    if (count <= 0) return
    const from = (job * kvLength + first) * width
    target.set(tensors[operand].subarray(from, from + count * width))
  }
}
