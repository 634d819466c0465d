import { Command, Option } from 'commander'
import { addEventOptions, observeEvents, type EventOptions } from '#main/cli/event-options.ts'
import type { Output } from '#main/cli/output.ts'
import { printDocument, type PrintOptions } from '#main/cli/print-document.ts'
import { resolveVectorInput, type VectorOptions } from '#main/cli/resolve-vector.ts'
import { simulateWithProgress } from '#main/cli/simulate-with-progress.ts'
import { vectorText } from '#main/cli/vector-text.ts'
import {
  vectorDataKinds,
  vectorKernels,
  vectorTimings,
  vectorTypes,
} from '#shared/schema/vector-input.ts'
import { runVector } from '#shared/simulate/run-vector.ts'
import { formatCount } from '#shared/units/format.ts'

type Options = VectorOptions & PrintOptions & EventOptions

const help = `
A chip is a preset id (tessera presets list), a JSON file, or - for standard input. The result is
printed and not kept in the history.

rms-norm, rope, silu-gate and add take a width; top-k takes the experts (or a width, which is the
same) and top-k; dispatch takes experts and top-k; combine takes a width and top-k.

--timing first-tile is the timer of the public kernels: tile 0 reads it when it is through, without
its last store, the slower tiles and a closing barrier.

Exit status: 0 done; 2 an argument or an input is wrong, or a token does not fit in L1.

Examples:
  $ tessera vector --chip flat-2026-fp8 --kernel rms-norm --tokens 512 --width 7168 --dtype fp8
  $ tessera vector --chip flat-2026-fp8 --kernel top-k --tokens 512 --experts 256 --top-k 8 \\
      --dtype fp8 --data random --timing first-tile --json`

const choice = (flags: string, description: string, choices: readonly string[]) =>
  new Option(flags, description).choices(choices)

/** `tessera vector` */
export function vectorCommand(output: Output): Command {
  const collect = (value: string, previous: readonly string[]) => [...previous, value]
  const command = new Command('vector')
    .description('simulate one vector kernel: norm, rotation, activation, sum, routing')
    .requiredOption('--chip <preset|file>', 'the chip')
    .addOption(choice('--kernel <id>', 'what is done', vectorKernels).makeOptionMandatory())
    .requiredOption('--tokens <n>', 'rows, which go round the tiles')
    .option('--width <n>', 'elements of a row; for top-k the scores')
    .option('--experts <n>', 'experts, of top-k and dispatch')
    .option('--top-k <n>', 'experts of a token, of top-k, dispatch and combine')
    .addOption(choice('--dtype <id>', 'the elements', vectorTypes).default('fp16'))
    .addOption(
      choice(
        '--data <id>',
        'what they hold, where the time depends on it',
        vectorDataKinds,
      ).default('zeros'),
    )
    .addOption(choice('--timing <id>', 'until when', vectorTimings).default('all-tiles'))
    .option(
      '--set <path=value>',
      'override a field of chip or workload; after the options; repeatable',
      collect,
      [],
    )
  return addEventOptions(command)
    .option('--explain', 'add formula, values and source of every number')
    .option('--json', 'print one JSON document')
    .addHelpText('after', help)
    .action(async (options: Options) => {
      const input = await resolveVectorInput(options)
      const observer = await observeEvents(options, input)
      const run = await simulateWithProgress(runVector(input, observer.watch), output)
      const { kernel, tokens } = input.workload
      await observer.finish(run, `${kernel}, ${formatCount(tokens, 'tokens')}`)
      printDocument(run.document, vectorText, options, output)
    })
}
