import { createHash } from 'node:crypto'
import { canonicalJson } from '#shared/base/canonical-json.ts'
import { MODEL_VERSION } from '#shared/model-version.ts'
import type { AttentionInput } from '#shared/schema/attention-input.ts'

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/**
 * What makes two runs the same: the resolved input and the model version, as SHA-256 in hex.
 *
 * The names of the chip and of the workload are part of the stored input, but not of the
 * identity: to rename a chip does not change a number.
 */
export function inputSha256(input: AttentionInput, modelVersion: string = MODEL_VERSION): string {
  const nameless = {
    ...input,
    chip: { ...input.chip, name: undefined },
    workload: { ...input.workload, name: undefined },
  }
  return sha256(canonicalJson({ input: nameless, modelVersion }))
}

/** What makes two experiments the same: the same runs, in whatever order. */
export const runsSha256 = (inputSha256s: readonly string[]): string =>
  sha256(canonicalJson([...new Set(inputSha256s)].sort()))
