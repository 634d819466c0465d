import { expect, test } from 'vitest'
import { withHonestName, withPresetName } from '#shared/presets/edited-name.ts'
import { chipPresets } from '#shared/presets/presets.ts'

const [preset] = chipPresets
if (preset === undefined) throw new Error('there are no chip presets')
const { config } = preset

test('a preset keeps its name', () => {
  expect(withHonestName({ ...config }, chipPresets).name).toBe(config.name)
})

test('a preset that was changed is called edited, and found again', () => {
  const edited = withHonestName({ ...config, clockGHz: config.clockGHz / 2 }, chipPresets)
  expect(edited.name).toBe(`${config.name}, edited`)
  expect(withHonestName(edited, chipPresets)).toBe(edited)
  expect(withPresetName(edited, chipPresets).name).toBe(config.name)
})

test('another name stays', () => {
  const mine = { ...config, name: 'Mine, edited', clockGHz: 2 }
  expect(withHonestName(mine, chipPresets)).toBe(mine)
  expect(withPresetName(mine, chipPresets)).toBe(mine)
})

test.each([Infinity, NaN])('a number like %d, as it may be typed, is an edit', clockGHz => {
  const typed = { ...config, clockGHz }
  expect(withHonestName(typed, chipPresets).name).toBe(`${config.name}, edited`)
})
