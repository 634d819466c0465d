import { seconds, type Bytes, type BytesPerSecond, type Seconds } from '#shared/units/quantity.ts'

/**
 * Time of an all-reduce over rings: along the first dimension of a grid, then the next.
 *
 *   t = Σ over dimensions i of 2·(n_i − 1)·(S_i / (n_i·β) + α),  S_1 = S, S_(i+1) = S_i / n_i
 *
 * n_i  members along dimension i    S  bytes that every member has    β  link    α  one hop
 *
 * A reduce-scatter in the order of the dimensions, then an all-gather in the opposite order. The
 * bandwidth term 2·S·(1 − 1/n)/β does not depend on the order, and is that of a direct exchange over
 * a switch as well.
 *
 * Source: P. Patarasuk, X. Yuan, "Bandwidth optimal all-reduce algorithms for clusters of
 *   workstations", Journal of Parallel and Distributed Computing 69(2), 2009.
 * Holds when: neighbours in a ring have a link of their own, and data is added for free.
 * Checked by: test/src-shared/models/wafer/ring-all-reduce.test.ts
 */
export function ringAllReduce(
  size: Bytes,
  dimensions: readonly number[],
  link: BytesPerSecond,
  hop: Seconds,
): Seconds {
  let rest: number = size
  let time = 0
  for (const members of dimensions) {
    time += 2 * (members - 1) * (rest / (members * link) + hop)
    rest /= members
  }
  return seconds(time)
}
