import { Command, Option } from 'commander'
import { withDeploymentOptions } from '#main/cli/commands/decode-command.ts'
import type { Output } from '#main/cli/output.ts'
import { printDocument, type PrintOptions } from '#main/cli/print-document.ts'
import { planText } from '#main/cli/plan-text.ts'
import { resolvePlan, type PlanOptions } from '#main/cli/resolve-plan.ts'
import { simulateWithProgress } from '#main/cli/simulate-with-progress.ts'
import { decodeAttentions } from '#shared/schema/deployment.ts'
import { planDecode } from '#shared/simulate/plan-decode.ts'
import { formatCount, formatNumber } from '#shared/units/format.ts'

type Options = PlanOptions & PrintOptions

const help = `
Simulates every batch with every split of the chips and every attention kernel. With --slo-ms the
point of most throughput below that TPOT is the best, with --min-throughput alone the one of least
TPOT above it; with neither, the one of most throughput. Points that do not fit in memory are out.
Each point of the Pareto front comes with what it spends its time on, and with the change of one
field that would bring most. The result is printed and not kept in the history.

Exit status: 0 done, also where no point meets the limits; 2 an argument or an input is wrong.

Examples:
  $ tessera plan --system wafer-1tb --slo-ms 50
  $ tessera plan --system wafer-160gb --min-throughput 3000 --attention flat --ep 32,64 --json`

const batches = Array.from({ length: 12 }, (_, power) => 2 ** power).join(',')

/** `tessera plan` */
export function planCommand(output: Output): Command {
  return withDeploymentOptions(
    new Command('plan').description('search for the best batch, split and dataflow of a system'),
  )
    .option('--slo-ms <ms>', 'longest TPOT')
    .option('--min-throughput <x>', 'least tokens per second of a chip')
    .option('--batches <list>', 'sequences of a chip, with commas between', batches)
    .option('--ep <list>', 'chips that share the experts; all that are possible where left out')
    .option('--pp <list>', 'pipeline stages; all that are possible where left out')
    .addOption(
      new Option('--attention <id>', 'kernels that are tried')
        .choices([...decodeAttentions, 'all'])
        .default('all'),
    )
    .option('--explain', 'add formula, values and source of the best')
    .option('--json', 'print one JSON document')
    .addHelpText('after', help)
    .action(async (options: Options) => {
      const document = await simulateWithProgress(
        planDecode(await resolvePlan(options)),
        output,
        ({ done, total }) => `${formatNumber(done)} of ${formatCount(total, 'steps')} done`,
      )
      printDocument(document, planText, options, output)
    })
}
