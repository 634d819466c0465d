/**
 * Writes the numbers that the models give now: `node test/golden/write-golden.ts`, after a new
 * MODEL_VERSION.
 */
import { writeFileSync } from 'node:fs'
import { goldenNow } from '#test/golden/golden-runs.ts'

const golden = goldenNow()
writeFileSync(new URL('attention.json', import.meta.url), `${JSON.stringify(golden, null, 2)}\n`)
console.log(`${String(Object.keys(golden.runs).length)} runs of model ${golden.modelVersion}`)
