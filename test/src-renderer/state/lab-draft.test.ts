import { describe, expect, test } from 'vitest'
import {
  draftOf,
  editField,
  initialDraft,
  offeredDataflows,
  reviveDraft,
  shownFields,
} from '#renderer/state/lab-draft.ts'
import { makeExperiment } from '#test/src-renderer/support/make-experiment.ts'

describe('fields that a rule ties together', () => {
  const edit = (path: string, value: unknown, draft = initialDraft()) =>
    editField(draft, 'workload', [path], value)

  test('KV heads follow the heads of MHA', () => {
    expect(edit('heads', 64).workload).toMatchObject({ heads: 64, kvHeads: 64 })
  })

  test('MQA has one KV head, GQA keeps them', () => {
    expect(edit('variant', 'mqa').workload).toMatchObject({ kvHeads: 1 })
    expect(edit('variant', 'gqa').workload).toMatchObject({ kvHeads: 32 })
  })

  test('decode has one query, and the KV length stays', () => {
    expect(edit('phase', 'decode').workload).toMatchObject({ queryLength: 1, kvLength: 4096 })
  })

  test('the dimensions of MLA go with it', () => {
    const latent = edit('latentDim', 256, edit('variant', 'mla'))
    expect(latent.workload).toMatchObject({ variant: 'mla', latentDim: 256 })
    const back = edit('variant', 'mha', latent).workload
    expect(back).not.toHaveProperty('latentDim')
    expect(back).toMatchObject({ variant: 'mha', kvHeads: 32 })
  })

  test('self-attention stays square; a chunk of a longer context does not become it', () => {
    expect(edit('queryLength', 512).workload).toMatchObject({ queryLength: 512, kvLength: 512 })
    const chunk = edit('kvLength', 8192)
    expect(edit('queryLength', 512, chunk).workload).toMatchObject({ kvLength: 8192 })
  })
})

describe('what the form offers', () => {
  test('are the dataflows that the workload can run with', () => {
    const { workload } = initialDraft()
    expect(offeredDataflows(workload)).toEqual(initialDraft().dataflows)
    expect(offeredDataflows({ ...workload, variant: 'mla', phase: 'decode' })).toEqual([
      'flat-sc',
      'flat-tc',
      'flat-hc',
      'flat-async',
      'flash-mla',
      'flash-mla-fair',
    ])
    expect(offeredDataflows({ variant: 7 })).toEqual(initialDraft().dataflows)
  })

  test('are the dimensions of MLA only for MLA', () => {
    const names = (variant: string) =>
      shownFields('workload', { ...initialDraft().workload, variant }).map(({ path }) => path[0])
    expect(names('mla')).toContain('latentDim')
    expect(names('gqa')).not.toContain('latentDim')
    expect(names('gqa')).toContain('headDim')
  })
})

describe('a stored draft', () => {
  test('is taken as it was', () => {
    const draft = { ...editField(initialDraft(), 'chip', ['clockGHz'], 1.5), name: 'Mine' }
    expect(reviveDraft(JSON.parse(JSON.stringify(draft)))).toEqual(draft)
  })

  test('keeps a number that is out of range, to be corrected', () => {
    const draft = editField(initialDraft(), 'chip', ['tiles', 'x'], 0)
    expect(reviveDraft(draft).chip).toMatchObject({ tiles: { x: 0, y: 32 } })
  })

  test('loses what is of another type, unknown or missing', () => {
    const draft = reviveDraft({
      chipPresetId: 'flat-2025',
      chip: { clockGHz: 'fast', cache: 3 },
      workload: null,
      mapping: { groupX: 8, groupZ: 2 },
      dataflows: ['fa2', 'fa9'],
    })
    expect(draft.chip).toEqual(expect.objectContaining({ clockGHz: 1 }))
    expect(draft.chip).not.toHaveProperty('cache')
    expect(draft.workload).toEqual(initialDraft().workload)
    expect(draft.mapping).toEqual({ groupX: 8 })
    expect(draft.dataflows).toEqual(['fa2'])
  })

  test.each([null, 7, 'text', [], {}])('%j gives a draft that can be run', stored => {
    expect(reviveDraft(stored)).toMatchObject({
      chip: initialDraft().chip,
      workload: initialDraft().workload,
    })
  })
})

test('an experiment is opened with the preset that it equals', () => {
  const { spec } = makeExperiment()
  expect(draftOf(spec)).toMatchObject({ chipPresetId: 'flat-2026', chip: spec.chip })
  const renamed = { ...spec, chip: { ...spec.chip, name: 'Mine', clockGHz: 2 } }
  expect(draftOf(renamed).chipPresetId).toBeNull()
})
