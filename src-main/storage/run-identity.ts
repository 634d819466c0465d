import { createHash } from 'node:crypto'
import { canonicalJson } from '#shared/base/canonical-json.ts'
import { MODEL_VERSION } from '#shared/model-version.ts'
import type { AttentionInput } from '#shared/schema/attention-input.ts'
import type { DecodeInput } from '#shared/schema/decode-input.ts'

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/**
 * What makes two runs the same: the resolved input and the model version, as SHA-256 in hex.
 *
 * Names, as of the chip and of the workload, are part of the stored input, but not of the
 * identity: to rename a chip does not change a number.
 */
export const inputSha256 = (
  input: AttentionInput | DecodeInput,
  modelVersion: string = MODEL_VERSION,
): string => sha256(canonicalJson({ input: nameless(input), modelVersion }))

function nameless(input: AttentionInput | DecodeInput): unknown {
  if (input.kind === 'attention') {
    const { chip, workload } = input
    const parts = { chip: { ...chip, name: undefined }, workload: { ...workload, name: undefined } }
    return { ...input, ...parts }
  }
  const { system, model } = input
  const chip = { ...system.chip, name: undefined }
  return {
    ...input,
    system: { ...system, name: undefined, chip },
    model: { ...model, name: undefined },
  }
}

/** What makes two experiments the same: the same runs, in whatever order. */
export const runsSha256 = (inputSha256s: readonly string[]): string =>
  sha256(canonicalJson([...new Set(inputSha256s)].sort()))
