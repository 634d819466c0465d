import type { Preset } from '#shared/presets/preset.ts'

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
  if (preset === undefined || isSame(preset.config, config)) return config
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

/** Equal field by field; unlike their JSON text, also where a number that is typed is not finite. */
function isSame(one: unknown, other: unknown): boolean {
  if (!isRecord(one) || !isRecord(other)) return Object.is(one, other)
  const keys = new Set([...Object.keys(one), ...Object.keys(other)])
  return [...keys].every(key => isSame(one[key], other[key]))
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null
