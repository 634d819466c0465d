import { canonicalJson } from '#shared/base/canonical-json.ts'
import type { Preset } from '#shared/presets/preset.ts'

type Config = Readonly<Record<string, unknown>>

/** The preset that a configuration equals, else the one whose name it bears. */
export function nearestPreset(presets: readonly Preset<Config>[], config: Config): string | null {
  const text = canonicalJson(config)
  const preset =
    presets.find(candidate => canonicalJson(candidate.config) === text) ??
    presets.find(candidate => candidate.config.name === config.name)
  return preset?.id ?? null
}
