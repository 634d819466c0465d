import { explanationText } from '#main/cli/explanation-text.ts'
import type { Output } from '#main/cli/output.ts'
import type { Explanation } from '#shared/results/explanation.ts'

/** What `--json` and `--explain` ask for. */
export interface PrintOptions {
  readonly json?: true
  readonly explain?: true
}

/** Prints a result document: as text or as JSON, with its explanations where they are asked for. */
export function printDocument<Document extends { readonly explanation: readonly Explanation[] }>(
  document: Document,
  text: (document: Document) => string,
  { json, explain }: PrintOptions,
  output: Output,
): void {
  const { explanation, ...rest } = document
  if (json === true) {
    output.printJson(explain === true ? document : rest)
    return
  }
  output.print(text(document))
  if (explain === true) output.print(`\nExplanation\n\n${explanationText(explanation)}`)
}
