import { Command } from 'commander'
import type { Output } from '#main/cli/output.ts'
import { WorkError } from '#main/cli/usage-error.ts'
import { summaryText, validationText } from '#main/cli/validation-text.ts'
import { validate } from '#shared/validation/validate.ts'

interface Options {
  readonly summary?: true
  readonly json?: true
}

/** `tessera validate` */
export function validateCommand(output: Output): Command {
  return new Command('validate')
    .description('predicted against published numbers; status 1 where a target is missed')
    .option('--summary', 'one line for each set instead of every row')
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExample:\n  $ tessera validate --summary')
    .action(({ summary, json }: Options) => {
      const validation = validate()
      if (json === true) output.printJson(validation)
      else
        output.print(summary === true ? summaryText(validation.sets) : validationText(validation))
      const missed = validation.sets.filter(({ passed }) => !passed)
      if (missed.length > 0) {
        throw new WorkError(`targets missed: ${missed.map(({ id }) => id).join(', ')}`)
      }
    })
}
