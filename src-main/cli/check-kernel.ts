import { explanationText } from '#main/cli/explanation-text.ts'
import { checkText } from '#main/cli/check-text.ts'
import type { Output } from '#main/cli/output.ts'
import { WorkError } from '#main/cli/usage-error.ts'
import type { AttentionInput } from '#shared/schema/attention-input.ts'
import { simulateWithProgress } from '#main/cli/simulate-with-progress.ts'
import { checkInputOf, type CheckPrecision } from '#shared/schema/check-input.ts'
import { checkAttention } from '#shared/simulate/check-attention.ts'

/**
 * Executes a kernel on real numbers and prints how far it is from exact attention.
 *
 * @throws WorkError where it is further than the bound
 */
export async function checkKernel(
  input: AttentionInput,
  precision: CheckPrecision,
  { json, explain }: { readonly json?: true; readonly explain?: true },
  output: Output,
): Promise<void> {
  const document = await simulateWithProgress(
    checkAttention(checkInputOf(input, precision)),
    output,
  )
  const { explanation, ...rest } = document
  if (json === true) {
    output.printJson(explain === true ? document : rest)
  } else {
    output.print(checkText(document))
    if (explain === true) output.print(`\nExplanation\n\n${explanationText(explanation)}`)
  }
  if (!document.result.passed) {
    throw new WorkError('the kernel does not compute attention within the bound')
  }
}
