import { MODEL_VERSION } from '#shared/model-version.ts'
import { estimateAttention } from '#shared/simulate/run-attention.ts'
import { runDecode } from '#shared/simulate/run-decode.ts'
import { finish, InfeasibleError } from '#shared/simulate/simulation.ts'
import type { KeptDocument } from '#main/storage/run-repository.ts'

/** Room for the last digits, in which exponentials and logarithms of machines differ. */
const tolerance = 1e-6
/** SQLite takes 1000 levels of JSON for the most; a document has a handful. */
const deepestNesting = 100

/**
 * What is wrong with a document that comes from outside, beyond its shape: each text begins with
 * the path within the document.
 *
 * Its result is found from then on wherever its input is asked for, so it is not believed but
 * computed, where it says that it was made by the present model.
 */
export function documentProblems(document: KeptDocument): string[] {
  if (isNestedDeeper(document, deepestNesting)) {
    return [`: must not be nested more than ${String(deepestNesting)} levels deep`]
  }
  if (document.modelVersion !== MODEL_VERSION) return []
  try {
    return differences(computedResult(document.input), document.result, '.result')
  } catch (error) {
    if (!(error instanceof InfeasibleError)) throw error
    return [`.result: this input has none: ${error.message}`]
  }
}

const computedResult = (input: KeptDocument['input']): unknown =>
  input.kind === 'attention' ? estimateAttention(input).result : finish(runDecode(input)).result

function isNestedDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some(member => isNestedDeeper(member, levels - 1))
}

/** Only what is expected is looked at; lists must be as long. */
function differences(expected: unknown, given: unknown, path: string): string[] {
  if (Array.isArray(expected) && Array.isArray(given) && expected.length !== given.length) {
    return [`${path}: must have ${String(expected.length)} entries, got ${String(given.length)}`]
  }
  if (typeof expected === 'object' && expected !== null) {
    return Object.entries(expected).flatMap(([key, member]) => {
      const isThere = typeof given === 'object' && given !== null && Object.hasOwn(given, key)
      return differences(
        member,
        isThere ? (Reflect.get(given, key) as unknown) : undefined,
        Array.isArray(expected) ? `${path}[${key}]` : `${path}.${key}`,
      )
    })
  }
  const isSame =
    typeof expected === 'number' && typeof given === 'number'
      ? Math.abs(given - expected) <= tolerance * Math.abs(expected)
      : given === expected
  if (isSame) return []
  return [
    `${path}: must be ${String(expected)}, which model ${MODEL_VERSION} computes for this input, ` +
      `got ${String(given)}`,
  ]
}
