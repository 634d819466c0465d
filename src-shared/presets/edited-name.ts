import { canonicalJson } from '#shared/base/canonical-json.ts'
import type { Preset } from '#shared/presets/presets.ts'

interface Named {
  readonly name: string
}

const SUFFIX = ', edited'

/**
 * A configuration under a name that does not mislead: what bears the name of a preset but differs
 * from it is called edited.
 */
export function withHonestName<Config extends Named>(
  config: Config,
  presets: readonly Preset<Named>[],
): Config {
  const preset = presets.find(candidate => candidate.config.name === config.name)
  if (preset === undefined || canonicalJson(preset.config) === canonicalJson(config)) return config
  return { ...config, name: `${config.name}${SUFFIX}` }
}

/** The configuration under the name of the preset that it was edited from, if it was. */
export function withPresetName<Config extends object>(
  config: Config,
  presets: readonly Preset<Named>[],
): Config {
  const preset = presets.find(
    candidate => 'name' in config && config.name === `${candidate.config.name}${SUFFIX}`,
  )
  return preset === undefined ? config : { ...config, name: preset.config.name }
}
