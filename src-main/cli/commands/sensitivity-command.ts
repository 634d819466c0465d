import { Command, Option } from 'commander'
import type { Output } from '#main/cli/output.ts'
import { printDocument, type PrintOptions } from '#main/cli/print-document.ts'
import { resolveAttention, type AttentionOptions } from '#main/cli/resolve-attention.ts'
import { sensitivityText } from '#main/cli/sensitivity-text.ts'
import { simulateWithProgress } from '#main/cli/simulate-with-progress.ts'
import { dataflowChoices } from '#shared/mapping/dataflow.ts'
import { runSensitivity } from '#shared/simulate/run-sensitivity.ts'

type Options = AttentionOptions & PrintOptions

const help = `
Moves each parameter of the chip one step up and one down, with all else as it is, and ranks them by
what the runtime gains: rates by a tenth, sizes to twice and half, latencies to half and twice. The
phase engine computes; the mapping is chosen anew for each step unless it is fixed with --group or
--set mapping.FIELD. Gains of several parameters do not add up.

Exit status: 0 done; 2 an argument or an input is wrong, or the mapping does not fit the chip.

Examples:
  $ tessera sensitivity --chip flat-2026 --workload mha-prefill-d128-s4096 --dataflow flat-async
  $ tessera sensitivity --chip my-chip.json --workload mla-decode-kv4096-sp2 --dataflow auto --json`

/** `tessera sensitivity` */
export function sensitivityCommand(output: Output): Command {
  const collect = (value: string, previous: readonly string[]) => [...previous, value]
  return new Command('sensitivity')
    .description('rank what to change next about a chip by the runtime that it gains')
    .requiredOption('--chip <preset|file>', 'the chip')
    .requiredOption('--workload <preset|file>', 'the attention layer')
    .addOption(
      new Option('--dataflow <id>', 'how the kernel is spread over the tiles; auto: the fastest')
        .choices(dataflowChoices)
        .makeOptionMandatory(),
    )
    .option('--group <GxxGy|auto>', 'columns x rows of tiles of a group', 'auto')
    .option(
      '--set <path=value>',
      'override a field of chip, workload or mapping; after --group; repeatable',
      collect,
      [],
    )
    .addOption(new Option('--engine <id>', 'the model').choices(['phase']).default('phase'))
    .option('--explain', 'add formula, values and source of every elasticity')
    .option('--json', 'print one JSON document')
    .addHelpText('after', help)
    .action(async (options: Options) => {
      const request = await resolveAttention(options)
      const document = await simulateWithProgress(runSensitivity(request), output)
      printDocument(document, sensitivityText, options, output)
    })
}
