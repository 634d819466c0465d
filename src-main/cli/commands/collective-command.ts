import { Command, Option } from 'commander'
import { collectiveAxes } from '#main/cli/collective-extent.ts'
import { collectiveText } from '#main/cli/collective-text.ts'
import { addEventOptions, observeEvents, type EventOptions } from '#main/cli/event-options.ts'
import type { Output } from '#main/cli/output.ts'
import { printDocument, type PrintOptions } from '#main/cli/print-document.ts'
import { resolveCollectiveInput, type CollectiveOptions } from '#main/cli/resolve-collective.ts'
import { simulateWithProgress } from '#main/cli/simulate-with-progress.ts'
import {
  barrierScopes,
  collectiveImplementations,
  collectiveOperations,
  collectiveTypes,
} from '#shared/schema/collective-input.ts'
import { runCollective } from '#shared/simulate/run-collective.ts'
import { formatBytes } from '#shared/units/format.ts'

type Options = CollectiveOptions & PrintOptions & EventOptions

const help = `
A chip is a preset id (tessera presets list), a JSON file, or - for standard input.
The result is not kept in the history.

Exit status: 0 done; 2 an argument or an input is wrong.

Examples:
  $ tessera collective --chip flat-2026 --op multicast --bytes 32768 --participants 32 --impl hw
  $ tessera collective --chip collectives-256b --op sum --bytes 262144 --participants 8x4 \\
      --axis group --impl sw-pipelined --stages 8 --json`

const choice = (flags: string, description: string, choices: readonly string[]) =>
  new Option(flags, description).choices(choices)

/** `tessera collective` */
export function collectiveCommand(output: Output): Command {
  const collect = (value: string, previous: readonly string[]) => [...previous, value]
  const command = new Command('collective')
    .description('simulate one multicast or reduction')
    .requiredOption('--chip <preset|file>', 'the chip')
    .addOption(choice('--op <id>', 'what is done', collectiveOperations).makeOptionMandatory())
    .requiredOption('--bytes <n>', 'what each tile gets or gives')
    .requiredOption('--participants <n|CxR>', 'tiles in the line, or columns x rows of a group')
    .addOption(
      choice('--impl <id>', 'how it is done', collectiveImplementations).makeOptionMandatory(),
    )
    .option('--stages <n>', 'pieces of sw-pipelined (default: 8)')
    .addOption(choice('--axis <id>', 'along what', collectiveAxes).default('row'))
    .addOption(choice('--dtype <id>', 'the elements', collectiveTypes).default('fp16'))
    .addOption(
      choice('--barriers <id>', 'who meets in the barriers inside', barrierScopes).default(
        'participants',
      ),
    )
    .option(
      '--set <path=value>',
      'override a field of chip or collective; after the options; repeatable',
      collect,
      [],
    )
  return addEventOptions(command)
    .option('--explain', 'add formula, values and source of every number')
    .option('--json', 'print one JSON document')
    .addHelpText('after', help)
    .action(async (options: Options) => {
      const input = await resolveCollectiveInput(options)
      const observer = await observeEvents(options, input)
      const run = await simulateWithProgress(runCollective(input, observer.watch), output)
      const { operation, implementation, bytes } = input.collective
      await observer.finish(run, `${operation}, ${implementation}, ${formatBytes(bytes)}`)
      printDocument(run.document, collectiveText, options, output)
    })
}
