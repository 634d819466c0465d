/** A configuration that comes with the app; its numbers are from `source`. */
export interface Preset<Config> {
  readonly id: string
  readonly title: string
  readonly description: string
  readonly source: string
  readonly config: Config
}

/** Presets under a heading of the picker. */
export interface PresetGroup<Config> {
  readonly title: string
  readonly presets: readonly Preset<Config>[]
}
