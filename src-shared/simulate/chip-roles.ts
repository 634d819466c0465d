import { chipGroups } from '#shared/models/wafer/chip-groups.ts'
import type { ChipRole } from '#shared/results/decode-result.ts'
import type { DecodeInput } from '#shared/schema/decode-input.ts'
import { resolveSystem } from '#shared/schema/system.ts'

/**
 * What each chip of a system works on, by its number x + columns · y.
 *
 * Group g of the grid is stage g mod P of pipeline ⌊g / P⌋, with P stages; chips of groups beyond the
 * last whole pipeline are idle.
 *
 * Holds when: the split passed the check of the input; else every chip is idle.
 * Checked by: test/src-shared/simulate/chip-roles.test.ts
 */
export function chipRoles({ system, deployment }: DecodeInput): ChipRole[] {
  const wafer = resolveSystem(system)
  const { expertParallel, pipelineParallel } = deployment
  const groups = chipGroups(expertParallel, wafer) ?? []
  const replicas = Math.floor(groups.length / pipelineParallel)
  const roles = Array.from({ length: wafer.columns * wafer.rows }, (): ChipRole => null)
  for (const [index, { chips }] of groups.slice(0, replicas * pipelineParallel).entries()) {
    const role = {
      stage: index % pipelineParallel,
      replica: Math.floor(index / pipelineParallel),
    }
    for (const chip of chips) roles[chip] = role
  }
  return roles
}
