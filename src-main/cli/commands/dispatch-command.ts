import { Command, Option } from 'commander'
import { dispatchText } from '#main/cli/dispatch-text.ts'
import type { Output } from '#main/cli/output.ts'
import { printDocument, type PrintOptions } from '#main/cli/print-document.ts'
import { resolveDispatchInput, type DispatchOptions } from '#main/cli/resolve-dispatch.ts'
import { exchangeEngines, routingPatterns, tokenFormats } from '#shared/schema/dispatch-input.ts'
import { runDispatch } from '#shared/simulate/run-dispatch.ts'
import { finish } from '#shared/simulate/simulation.ts'

type Options = DispatchOptions & PrintOptions

const help = `
A system is a preset id (tessera presets list), a JSON file, or - for standard input. The chips of
the first group are used: the grid is cut into rectangles of --ep chips. The result is printed and
not kept in the history.

The presets wafer-1tb and wafer-160gb repeat what the published experiments did: the combine is
another dispatch, and a time ends with its last acknowledgement. Switch that off in a new design:
  --set system.referenceArtefacts.combineLikeDispatch=false

Exit status: 0 done; 2 an argument or an input is wrong, or the grid has no such group.

Examples:
  $ tessera dispatch --system wafer-1tb --ep 32 --tokens 512
  $ tessera dispatch --system wafer-160gb --ep 64 --tokens 256 --routing zipf --redundant 64 --once \\
      --set system.d2d.topology=torus --engine closed-form --json`

const choice = (flags: string, description: string, choices: readonly string[]) =>
  new Option(flags, description).choices(choices)

/** `tessera dispatch` */
export function dispatchCommand(output: Output): Command {
  const collect = (value: string, previous: readonly string[]) => [...previous, value]
  return new Command('dispatch')
    .description('simulate dispatch and combine of tokens over the chips of a wafer')
    .requiredOption('--system <preset|file>', 'the system')
    .requiredOption('--ep <n>', 'chips that share the experts')
    .requiredOption('--tokens <n>', 'token rows of each chip')
    .option('--experts <n>', 'routed experts', '256')
    .option('--top-k <n>', 'experts of a token', '8')
    .option('--width <n>', 'elements of a token', '7168')
    .addOption(choice('--routing <id>', 'choice of experts', routingPatterns).default('balanced'))
    .option('--seed <n>', 'of uniform and zipf', '1')
    .option('--exponent <x>', 'of zipf', '1')
    .option('--redundant <n>', 'further copies of the busiest experts', '0')
    .addOption(choice('--format <id>', 'of a token going out', tokenFormats).default('fp8'))
    .addOption(choice('--combine-format <id>', 'of a result', tokenFormats).default('bf16'))
    .option('--header <bytes>', 'of each token that travels', '0')
    .option('--once', 'a chip gets a token once, however many of its experts it has')
    .addOption(choice('--engine <id>', 'the model', exchangeEngines).default('event'))
    .option(
      '--set <path=value>',
      'override a field of system or dispatch; after the options; repeatable',
      collect,
      [],
    )
    .option('--explain', 'add formula, values and source of every number')
    .option('--json', 'print one JSON document')
    .addHelpText('after', help)
    .action(async (options: Options) => {
      const document = finish(runDispatch(await resolveDispatchInput(options)))
      printDocument(document, dispatchText, options, output)
    })
}
