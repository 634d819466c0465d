import { LOCK_STEP_LOADS } from '#shared/models/constants.ts'

/**
 * Time of one cycle of `customers` that think for `think` and then queue at each of the `stations`,
 * where a visit takes the station `demand`: exact mean value analysis of a closed network of
 * processor-sharing stations.
 *
 *   R_k(n) = D_k · (1 + Q_k(n−1))    X(n) = n / (Z + Σ R_k(n))    Q_k(n) = X(n) · R_k(n)
 *
 * Source: Reiser and Lavenberg, "Mean-value analysis of closed multichain queuing networks",
 *   J. ACM 27(2), 1980.
 *
 * @returns Z + Σ R_k(customers), in the unit of the arguments
 */
export function closedNetworkCycle(
  customers: number,
  think: number,
  demands: readonly number[],
): number {
  const queues = demands.map(() => 0)
  const residence = demands.map(() => 0)
  const slowest = Math.max(0, ...demands)
  let cycle = think
  for (let population = 1; population <= customers; population++) {
    cycle = think
    for (let station = 0; station < demands.length; station++) {
      const time = (demands[station] ?? 0) * (1 + (queues[station] ?? 0))
      residence[station] = time
      cycle += time
    }
    if (cycle <= 0) return 0
    const throughput = population / cycle
    // Saturated: each further customer adds one visit at the slowest station.
    if (slowest * throughput > SATURATED) return cycle + (customers - population) * slowest
    for (let station = 0; station < demands.length; station++) {
      queues[station] = (residence[station] ?? 0) * throughput
    }
  }
  return cycle
}

/** Utilisation of the slowest station from which on more customers only queue longer. */
const SATURATED = 1 - 1e-9

/**
 * Share of a kernel's loads that independent groups make in lock-step: they start together and
 * drift apart, so the chance of the n-th load falls as e^(−n/n0).
 *
 *   w = n0/N · (1 − e^(−N/n0))
 */
export function lockStepShare(loads: number): number {
  if (loads <= 0) return 1
  return (LOCK_STEP_LOADS / loads) * (1 - Math.exp(-loads / LOCK_STEP_LOADS))
}
