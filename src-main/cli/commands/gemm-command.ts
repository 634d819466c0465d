import { Command, Option } from 'commander'
import { gemmText } from '#main/cli/gemm-text.ts'
import { addEventOptions, observeEvents, type EventOptions } from '#main/cli/event-options.ts'
import type { Output } from '#main/cli/output.ts'
import { printDocument, type PrintOptions } from '#main/cli/print-document.ts'
import { resolveGemm, type GemmOptions } from '#main/cli/resolve-gemm.ts'
import { simulateWithProgress } from '#main/cli/simulate-with-progress.ts'
import { runGemm } from '#shared/simulate/run-gemm.ts'

type Options = GemmOptions & PrintOptions & EventOptions

const help = `
A chip is a preset id (tessera presets list), a JSON file, or - for standard input. The result is
printed and not kept in the history.

Exit status: 0 done; 2 an argument or an input is wrong, or the mapping does not fit the chip.

Examples:
  $ tessera gemm --chip flat-2026 --m 4096 --n 4096 --k 4096
  $ tessera gemm --chip flat-2026-fp8 --m 512 --n 2048 --k 7168 --dtype fp8 \\
      --set mapping.split=n --set mapping.tileK=64 --json`

/** `tessera gemm` */
export function gemmCommand(output: Output): Command {
  const collect = (value: string, previous: readonly string[]) => [...previous, value]
  const command = new Command('gemm')
    .description('simulate one SUMMA GEMM, Z[m x n] = X[m x k] · W[k x n]')
    .requiredOption('--chip <preset|file>', 'the chip')
    .requiredOption('--m <rows>', 'rows of X and Z')
    .requiredOption('--n <columns>', 'columns of W and Z')
    .requiredOption('--k <length>', 'the contraction')
    .option('--batch <products>', 'independent products, such as one for each head', '1')
    .addOption(new Option('--dtype <id>', 'of X, W and Z').choices(['fp16', 'fp8']).default('fp16'))
    .option(
      '--set <path=value>',
      'override a field of chip, workload or mapping; repeatable',
      collect,
      [],
    )
  return addEventOptions(command)
    .option('--explain', 'add formula, values and source of every number')
    .option('--json', 'print one JSON document')
    .addHelpText('after', help)
    .action(async (options: Options) => {
      const input = await resolveGemm(options)
      const observer = await observeEvents(options, input)
      const run = await simulateWithProgress(runGemm(input, observer.watch), output)
      const { m, n, k } = input.workload
      await observer.finish(run, `SUMMA, m ${String(m)}, n ${String(n)}, k ${String(k)}`)
      printDocument(run.document, gemmText, options, output)
    })
}
