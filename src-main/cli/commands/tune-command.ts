import { Command, Option } from 'commander'
import type { Output } from '#main/cli/output.ts'
import { printDocument, type PrintOptions } from '#main/cli/print-document.ts'
import { resolveTune, type TuneOptions } from '#main/cli/resolve-tune.ts'
import { simulateWithProgress } from '#main/cli/simulate-with-progress.ts'
import { tuneText } from '#main/cli/tune-text.ts'
import { dataflows } from '#shared/mapping/dataflow.ts'
import { tuneAttention } from '#shared/simulate/tune-attention.ts'
import { formatCount, formatNumber } from '#shared/units/format.ts'

type Options = TuneOptions & PrintOptions

const help = `
Tries group and slice in all combinations that make sense, and ranks them by the runtime that the
phase engine predicts. What is fixed with --group or --set mapping.FIELD is left as it is. The
result is printed and not kept in the history.

A configuration is a preset id (tessera presets list), a JSON file, or - for standard input.

Exit status: 0 done; 2 an argument or an input is wrong, or no mapping fits the chip.

Examples:
  $ tessera tune --chip flat-2026 --workload mha-prefill-d128-s1024
  $ tessera tune --chip flat-2026 --workload mha-prefill-d128-s4096 --dataflow flat-async \\
      --set chip.l1.capacityKiB=768 --top 20 --json`

/** `tessera tune` */
export function tuneCommand(output: Output): Command {
  const collect = (value: string, previous: readonly string[]) => [...previous, value]
  return new Command('tune')
    .description('search for the fastest group, slice and dataflow of an attention kernel')
    .requiredOption('--chip <preset|file>', 'the chip')
    .requiredOption('--workload <preset|file>', 'the attention layer')
    .addOption(
      new Option('--dataflow <id>', 'what is searched')
        .choices([...dataflows, 'all'])
        .default('all'),
    )
    .option('--group <GxxGy|auto>', 'columns x rows of tiles of a group; auto: searched', 'auto')
    .option('--top <count|all>', 'rejected mappings that are listed with the reason', '10')
    .option(
      '--set <path=value>',
      'override a field of chip, workload or mapping; after --group; repeatable',
      collect,
      [],
    )
    .addOption(new Option('--engine <id>', 'the model').choices(['phase']).default('phase'))
    .option('--explain', 'add formula, values and source of every number of the best')
    .option('--json', 'print one JSON document')
    .addHelpText('after', help)
    .action(async (options: Options) => {
      const document = await simulateWithProgress(
        tuneAttention(await resolveTune(options)),
        output,
        ({ done, total }) => `${formatNumber(done)} of ${formatCount(total, 'mappings')} tried`,
      )
      printDocument(document, tuneText, options, output)
    })
}
