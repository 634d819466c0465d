import type { Bound, BreakdownComponent } from '#shared/results/attention-result.ts'

/** Shares of the exposed time by what it is spent on; they add up to 1. */
export function boundShares(
  components: Readonly<Record<BreakdownComponent, number>>,
): Readonly<Record<Bound, number>> {
  const total = Object.values(components).reduce((sum, value) => sum + value, 0)
  const share = (part: number) => (total > 0 ? part / total : 0)
  const noc = components.multicast + components['max-reduction'] + components['sum-reduction']
  return {
    compute: share(components.matrix + components.vector),
    memory: share(components.hbm),
    noc: share(noc),
    synchronization: share(components.other),
  }
}

/** What the largest part of the exposed time is spent on. */
export function boundOf(components: Readonly<Record<BreakdownComponent, number>>): Bound {
  const shares = boundShares(components)
  const bounds: readonly Bound[] = ['compute', 'memory', 'noc', 'synchronization']
  return bounds.reduce((most, bound) => (shares[bound] > shares[most] ? bound : most))
}
