import wafer160gb from '#resources/presets/systems/wafer-160gb.json' with { type: 'json' }
import wafer1tb from '#resources/presets/systems/wafer-1tb.json' with { type: 'json' }
import type { Preset } from '#shared/presets/preset.ts'
import { chipPresets } from '#shared/presets/presets.ts'
import { systemSchema, type SystemConfig } from '#shared/schema/system.ts'

/** A system in whose file the chip is the id of a preset, with that chip written out. */
export function withChipWrittenOut(system: unknown): unknown {
  if (typeof system !== 'object' || system === null || !('chip' in system)) return system
  const preset = chipPresets.find(({ id }) => id === system.chip)
  return preset === undefined ? system : { ...system, chip: preset.config }
}

export const systemPresets: readonly Preset<SystemConfig>[] = [wafer1tb, wafer160gb].map(
  preset => ({ ...preset, config: systemSchema.parse(withChipWrittenOut(preset.config)) }),
)
