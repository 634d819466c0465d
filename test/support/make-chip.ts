import type { Chip } from '#shared/hardware/chip.ts'
import { resolveChip, type ChipConfig } from '#shared/schema/chip.ts'
import { presetChip } from '#shared/validation/published-input.ts'

/** The chip of arXiv 2604.02110 with some sections replaced. */
export const makeChipConfig = (changes: Partial<ChipConfig> = {}): ChipConfig => ({
  ...presetChip('flat-2026'),
  ...changes,
})

/** The same, resolved. */
export const makeChip = (changes: Partial<ChipConfig> = {}): Chip =>
  resolveChip(makeChipConfig(changes))

/** A chip on which nothing follows the peculiarities of the reference simulator. */
export const makeNewDesign = (changes: Partial<ChipConfig> = {}): ChipConfig =>
  makeChipConfig({ referenceArtefacts: noArtefacts, ...changes })

export const noArtefacts: ChipConfig['referenceArtefacts'] = {
  fp16OmitsOutputTraffic: false,
  partialVectorRowsSkipped: false,
  causalMaskIgnored: false,
  rescaleDimensionsSwapped: false,
  sumBeforeProducts: false,
}

/** Memory like that of the preset, with these channels and no others. */
export const makeHbm = (
  channels: Partial<ChipConfig['hbm']['channels']>,
  changes: Partial<Omit<ChipConfig['hbm'], 'channels'>> = {},
): ChipConfig['hbm'] => ({
  ...presetChip('flat-2026').hbm,
  channels: { west: 0, north: 0, east: 0, south: 0, ...channels },
  ...changes,
})
