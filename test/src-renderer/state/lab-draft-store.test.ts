import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { useLabDraftStore } from '#renderer/state/lab-draft-store.ts'
import { createFakeApi } from '#test/src-renderer/support/fake-api.ts'
import { withApp } from '#test/src-renderer/support/mount-app.ts'

const openStore = () => withApp(useLabDraftStore, createFakeApi()).result

beforeEach(() => {
  localStorage.clear()
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('the first draft can be run', () => {
  const store = openStore()
  expect(store.spec).toMatchObject({ name: store.defaultName, dataflows: { length: 6 } })
})

test('a draft that was kept by an older version, or is nonsense, does no harm', async () => {
  const states = [{ chip: 3 }, null, { chip: { l1: { capacityKiB: 512 } }, gone: true }]
  const fake = createFakeApi({
    'draft:load': () => ({ position: 2, first: 0, states, saved: 'nonsense' }),
  })
  const store = withApp(useLabDraftStore, fake).result
  await store.load()
  expect(store.draft.chip).toMatchObject({ l1: { capacityKiB: 512 } })
  expect(store.spec).toBeDefined()
  store.undo()
  expect(store.spec).toBeDefined()
})

describe('what was not run', () => {
  test('is marked until it is run, and comes and goes with undo and redo', () => {
    const store = openStore()
    expect(store.isUnsaved).toBe(false)
    store.setField('chip', ['l1', 'capacityKiB'], 512)
    expect(store.isUnsaved).toBe(true)
    store.undo()
    expect(store.isUnsaved).toBe(false)
    store.redo()
    store.markSaved()
    expect(store.isUnsaved).toBe(false)
    store.undo()
    expect(store.isUnsaved).toBe(true)
    store.markSaved()
    expect(store.isUnsaved).toBe(false)
  })

  test('may be no JSON number while it is typed', () => {
    const store = openStore()
    store.setField('workload', ['batch'], Infinity)
    expect(store.isUnsaved).toBe(true)
  })

  test('is given up by a step that can be undone', () => {
    const store = openStore()
    store.setField('chip', ['l1', 'capacityKiB'], 512)
    store.revert()
    expect(store.draft.chip).toMatchObject({ l1: { capacityKiB: 384 } })
    store.undo()
    expect(store.draft.chip).toMatchObject({ l1: { capacityKiB: 512 } })
  })
})

test('a draft with a problem cannot be run, and the problem names its field', () => {
  const store = openStore()
  store.setField('chip', ['tiles', 'x'], 0)
  expect(store.spec).toBeUndefined()
  expect(store.problems.chip).toEqual([
    { path: ['tiles', 'x'], message: 'must be a whole number from 1 to 256 tiles, got 0' },
  ])
})

test('no dataflow, no run', () => {
  const store = openStore()
  for (const dataflow of store.draft.dataflows) store.toggleDataflow(dataflow, false)
  expect(store.spec).toBeUndefined()
})

describe('undo', () => {
  test('takes back what was typed into one field in one go', () => {
    const store = openStore()
    store.setField('workload', ['batch'], 1)
    vi.advanceTimersByTime(200)
    store.setField('workload', ['batch'], 12)
    store.undo()
    expect(store.draft.workload).toMatchObject({ batch: 2 })
    store.redo()
    expect(store.draft.workload).toMatchObject({ batch: 12 })
  })

  test('separates what was typed after a pause or into another field', () => {
    const store = openStore()
    store.setField('workload', ['batch'], 1)
    vi.advanceTimersByTime(1500)
    store.setField('workload', ['batch'], 4)
    store.setField('workload', ['headDim'], 64)
    store.undo()
    expect(store.draft.workload).toMatchObject({ batch: 4, headDim: 128 })
    store.undo()
    expect(store.draft.workload).toMatchObject({ batch: 1 })
  })

  test('covers presets and imports, and an edit ends what could be redone', () => {
    const store = openStore()
    store.chooseChipPreset('flat-2025')
    expect(store.draft.chip).toMatchObject({ clockGHz: 1 })
    store.undo()
    expect(store.draft.chipPresetId).toBe('flat-2026')
    store.setField('workload', ['batch'], 8)
    expect(store.canRedo).toBe(false)
  })
})

test('a field and a part go back to their preset', () => {
  const store = openStore()
  store.setField('chip', ['clockGHz'], 2)
  store.setField('chip', ['tiles', 'x'], 8)
  store.resetField('chip', ['clockGHz'])
  expect(store.draft.chip).toMatchObject({ clockGHz: 0.965, tiles: { x: 8 } })
  store.resetPart('chip')
  expect(store.draft.chip).toMatchObject({ tiles: { x: 32 } })
})

test('a mapping override goes back to automatic', () => {
  const store = openStore()
  store.setField('mapping', ['groupX'], 8)
  expect(store.spec?.mapping).toEqual({ groupX: 8 })
  store.resetField('mapping', ['groupX'])
  expect(store.spec?.mapping).toEqual({})
})

describe('the names of what is run', () => {
  test('are those of the presets as long as nothing differs', () => {
    const store = openStore()
    expect(store.defaultName).toBe('MHA prefill, D 128, S 4096 on FlatAttention 2026, 2 TB/s')
  })

  test('say that a preset was edited, and the form keeps the name that was typed', () => {
    const store = openStore()
    store.setField('chip', ['hbm', 'channels', 'south'], 64)
    expect(store.spec?.chip.name).toBe('FlatAttention 2026, 2 TB/s, edited')
    expect(store.spec?.workload.name).toBe('MHA prefill, D 128, S 4096')
    expect(store.defaultName).toContain('2 TB/s, edited')
    expect(store.draft.chip).toMatchObject({ name: 'FlatAttention 2026, 2 TB/s' })
    store.resetField('chip', ['hbm', 'channels', 'south'])
    expect(store.spec?.chip.name).toBe('FlatAttention 2026, 2 TB/s')
  })

  test('are left alone where they are not those of presets', () => {
    const store = openStore()
    store.setField('chip', ['name'], 'My chip, 4 TB/s')
    store.setField('chip', ['hbm', 'channels', 'south'], 64)
    expect(store.spec?.chip.name).toBe('My chip, 4 TB/s')
  })

  test('lead back to the preset when the experiment is opened', () => {
    const store = openStore()
    store.setField('chip', ['hbm', 'channels', 'south'], 64)
    const { spec } = store
    if (spec === undefined) throw new Error('the draft cannot be run')
    store.open(spec)
    expect(store.draft.chipPresetId).toBe('flat-2026')
    expect(store.draft.chip).toMatchObject({ name: 'FlatAttention 2026, 2 TB/s' })
    expect(store.spec?.chip.name).toBe('FlatAttention 2026, 2 TB/s, edited')
  })
})

test('the engine of a run is a step that can be undone, and is kept', () => {
  const store = useLabDraftStore()
  expect(store.spec?.engine).toBeUndefined()
  store.setEngine('event')
  expect(store.spec?.engine).toBe('event')
  store.undo()
  expect(store.draft.engine).toBe('phase')
})
