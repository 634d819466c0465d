/**
 * Writes the numbers that the models give now: `node test/golden/write-golden.ts`, after a new
 * MODEL_VERSION.
 */
import { writeFileSync } from 'node:fs'
import { goldenNow, type GoldenFile } from '#test/golden/golden-runs.ts'

/** The file as Prettier leaves it. */
export const goldenText = (golden: GoldenFile): string => `${JSON.stringify(golden, null, 2)}\n`

if (import.meta.main) {
  const golden = goldenNow()
  writeFileSync(new URL('attention.json', import.meta.url), goldenText(golden))
  console.log(`${String(Object.keys(golden.runs).length)} runs of model ${golden.modelVersion}`)
}
