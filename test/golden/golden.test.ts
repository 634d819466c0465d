import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import golden from '#test/golden/attention.json' with { type: 'json' }
import { goldenNow, type GoldenFile, type GoldenNumbers } from '#test/golden/golden-runs.ts'
import { goldenText } from '#test/golden/write-golden.ts'

const ROUNDING = 1e-12
const stored: GoldenFile = golden
const now = goldenNow()

/** Fields in which two runs differ by more than rounding, with both numbers. */
function changes(before: GoldenNumbers, after: GoldenNumbers): string[] {
  const fields = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...fields]
    .filter(field => {
      const [old, fresh] = [before[field], after[field]]
      if (old === undefined || fresh === undefined) return true
      return Math.abs(fresh - old) > ROUNDING * Math.abs(old)
    })
    .map(field => `${field}: ${String(before[field])} is now ${String(after[field])}`)
}

const howTo =
  'a number changed: give src-shared/model-version.ts a new MODEL_VERSION, then run ' +
  '`node test/golden/write-golden.ts` and commit test/golden/attention.json'

describe('numbers of the models', () => {
  test('are those stored for this MODEL_VERSION', () => {
    const { modelVersion } = stored
    expect({ howTo, modelVersion }).toEqual({ howTo, modelVersion: now.modelVersion })
  })

  test('cover the same runs as before', () => {
    const runs = Object.keys(now.runs)
    expect({ howTo, runs }).toEqual({ howTo, runs: Object.keys(stored.runs) })
  })

  test('are in a file that the script wrote, not a hand', () => {
    const text = readFileSync(new URL('attention.json', import.meta.url), 'utf8')
    expect(text).toBe(goldenText(stored))
  })

  test.each(Object.keys(stored.runs))('%s', name => {
    const changed = changes(stored.runs[name] ?? {}, now.runs[name] ?? {})
    expect({ howTo, changed }).toEqual({ howTo, changed: [] })
  })
})

describe('the comparison', () => {
  const numbers = Object.values(stored.runs)[0] ?? {}

  test('sees a change of a millionth', () => {
    const cycles = (numbers.cycles ?? 0) * (1 + 1e-6)
    expect(changes(numbers, { ...numbers, cycles })).toHaveLength(1)
  })

  test('sees a field that appeared', () => {
    expect(changes(numbers, { ...numbers, joules: 1 })).toHaveLength(1)
  })
})
