import { describe, expect, test } from 'vitest'
import { MODEL_VERSION } from '#shared/model-version.ts'
import { validateCollectives } from '#shared/validation/validate-collectives.ts'
import { validateGemm } from '#shared/validation/validate-gemm.ts'
import { validateReferenceRuns } from '#shared/validation/validate-reference-runs.ts'
import { validate } from '#shared/validation/validate.ts'
import { validationSet, type ValidationSet } from '#shared/validation/validation-set.ts'

const validation = validate(['phase'])
/** Those of the event engine that do not take long. */
const withEvents = [
  ...validation.sets,
  ...validateCollectives('event'),
  ...validateReferenceRuns('event'),
  ...validateGemm('event'),
]

/** The same set with all predictions off by a factor. */
const perturbed = (set: ValidationSet, factor: number): ValidationSet =>
  validationSet({
    ...set,
    rows: set.rows.map(row => {
      const predicted = row.predicted * factor
      return { ...row, predicted, error: (predicted - row.published) / row.published }
    }),
  })

test('the whole validation passes, under the version of the models', () => {
  expect(validation.passed).toBe(true)
  expect(validation.modelVersion).toBe(MODEL_VERSION)
})

test('every set has an id of its own, a title and a source', () => {
  const ids = validation.sets.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  expect(validation.sets.filter(({ title, source }) => title === '' || source === '')).toEqual([])
})

describe.each([
  'matrix-engine-2026',
  'collectives-2026',
  'collectives-event-2026',
  'attention-runs-2026',
  'flat-runs-event-2026',
  'decode-runs-2026',
  'mla-runs-2026',
  'flatmla-decode-2025',
  'fig9-group-scale-2025',
  'gemm-runs-2026',
  'gemm-runs-event-2026',
  'gemm-deepseek-event-2025',
  'operation-durations-2026',
  'fig12-averages-2026',
  'vector-kernels-2026',
  'vector-first-tile-2026',
  'dma-hbm-writes-2026',
  'dma-tiles-2026',
  'd2d-estimate-2026',
])('predictions of %s', id => {
  const set = withEvents.find(candidate => candidate.id === id)
  if (set === undefined) throw new Error(`no validation set ${id}`)

  test('pass as they are', () => {
    expect(perturbed(set, 1).passed).toBe(true)
  })

  test.each([0.75, 1.25])('fail times %d', factor => {
    expect(perturbed(set, factor).passed).toBe(false)
  })
})
