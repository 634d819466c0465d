import { readConfiguration } from '#main/cli/read-configuration.ts'
import type { ReadText } from '#main/cli/read-text.ts'
import { UsageError } from '#main/cli/usage-error.ts'
import { withHonestName } from '#shared/presets/edited-name.ts'
import { clusterPresets } from '#shared/presets/cluster-presets.ts'
import { chipPresets } from '#shared/presets/presets.ts'
import { systemPresets, withChipWrittenOut } from '#shared/presets/system-presets.ts'
import type { SystemConfig } from '#shared/schema/system.ts'

/**
 * What `--system` stands for, its chip written out; not checked against the schema.
 *
 * @throws UsageError where there is no such preset and no such file, its chip is no preset, or it is
 *   a GPU cluster
 */
export async function readSystem(reference: string, read?: ReadText): Promise<unknown> {
  const given = await readSystemOrCluster(reference, read)
  if (!isCluster(given)) return given
  throw new UsageError(
    `--system ${reference}: is a GPU cluster, which tessera decode alone simulates; systems of tile-based chips are ${systemPresets.map(({ id }) => id).join(', ')}`,
  )
}

/** Whether a configuration says of itself that it is a cluster of GPUs. */
export const isCluster = (given: unknown): boolean =>
  typeof given === 'object' && given !== null && 'kind' in given && given.kind === 'gpu-cluster'

/**
 * The same, but for clusters of GPUs, which are let through as they are.
 *
 * @throws UsageError as above
 */
export async function readSystemOrCluster(reference: string, read?: ReadText): Promise<unknown> {
  const presets = [...systemPresets, ...clusterPresets]
  const given = await readConfiguration(reference, 'system', presets, read)
  if (isCluster(given)) return given
  const system = withChipWrittenOut(given)
  if (typeof system === 'object' && system !== null && 'chip' in system) {
    const { chip } = system
    if (typeof chip === 'string') {
      const known = chipPresets.map(({ id }) => id).join(', ')
      throw new UsageError(
        `system.chip: unknown chip preset ${JSON.stringify(chip)}; known are ${known}; or write a whole chip`,
      )
    }
  }
  return system
}

/** A system and its chip under names that say where they were edited. */
export const withHonestNames = (system: SystemConfig): SystemConfig =>
  withHonestName({ ...system, chip: withHonestName(system.chip, chipPresets) }, systemPresets)
