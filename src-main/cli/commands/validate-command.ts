import { Command, Option } from 'commander'
import type { Output } from '#main/cli/output.ts'
import { simulateWithProgress } from '#main/cli/simulate-with-progress.ts'
import { WorkError } from '#main/cli/usage-error.ts'
import { summaryText, validationText } from '#main/cli/validation-text.ts'
import { engines, type Engine } from '#shared/schema/engine-field.ts'
import { runValidation } from '#shared/validation/validate.ts'

interface Options {
  readonly summary?: true
  readonly json?: true
  readonly engine: Engine | 'both'
}

/** `tessera validate` */
export function validateCommand(output: Output): Command {
  return new Command('validate')
    .description('predicted against published numbers; status 1 where a target is missed')
    .addOption(
      new Option('--engine <id>', 'the sets of one engine only; the event engine takes a minute')
        .choices([...engines, 'both'])
        .default('both'),
    )
    .option('--summary', 'one line for each set instead of every row')
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExample:\n  $ tessera validate --summary')
    .action(async ({ summary, json, engine }: Options) => {
      const chosen = engine === 'both' ? engines : [engine]
      const validation = await simulateWithProgress(runValidation(chosen), output)
      if (json === true) output.printJson(validation)
      else
        output.print(summary === true ? summaryText(validation.sets) : validationText(validation))
      const missed = validation.sets.filter(({ passed }) => !passed)
      if (missed.length > 0) {
        throw new WorkError(`targets missed: ${missed.map(({ id }) => id).join(', ')}`)
      }
    })
}
