import { readConfiguration } from '#main/cli/read-configuration.ts'
import type { ReadText } from '#main/cli/read-text.ts'
import { UsageError } from '#main/cli/usage-error.ts'
import { withHonestName } from '#shared/presets/edited-name.ts'
import { chipPresets } from '#shared/presets/presets.ts'
import { systemPresets, withChipWrittenOut } from '#shared/presets/system-presets.ts'
import type { SystemConfig } from '#shared/schema/system.ts'

/**
 * What `--system` stands for, its chip written out; not checked against the schema.
 *
 * @throws UsageError where there is no such preset and no such file, or its chip is no preset
 */
export async function readSystem(reference: string, read?: ReadText): Promise<unknown> {
  const given = await readConfiguration(reference, 'system', systemPresets, read)
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
