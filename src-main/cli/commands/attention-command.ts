import { Command, Option } from 'commander'
import { attentionText } from '#main/cli/attention-text.ts'
import { checkKernel } from '#main/cli/check-kernel.ts'
import { addEventOptions, observeEvents, type EventOptions } from '#main/cli/event-options.ts'
import type { Output } from '#main/cli/output.ts'
import { runWithHistory } from '#main/cli/run-with-history.ts'
import { printDocument, type PrintOptions } from '#main/cli/print-document.ts'
import { resolveAttention, type AttentionOptions } from '#main/cli/resolve-attention.ts'
import { simulateWithProgress } from '#main/cli/simulate-with-progress.ts'
import { UsageError } from '#main/cli/usage-error.ts'
import { dataflowChoices } from '#shared/mapping/dataflow.ts'
import type { AttentionDocument, DataflowSelection } from '#shared/schema/attention-document.ts'
import type { AttentionInput, AttentionRequest } from '#shared/schema/attention-input.ts'
import { checkPrecisions, type CheckPrecision } from '#shared/schema/check-input.ts'
import { simulateAttention, withSelection } from '#shared/simulate/run-attention.ts'
import { selectDataflow } from '#shared/simulate/select-dataflow.ts'
import { regimeVerdict } from '#shared/validation/regime-verdict.ts'
import { finish } from '#shared/simulate/simulation.ts'

interface Options extends AttentionOptions, PrintOptions, EventOptions {
  readonly save: boolean
  readonly again?: true
  readonly check?: true
  readonly precision?: CheckPrecision
}

const help = `
A configuration is a preset id (tessera presets list), a JSON file, or - for standard input.

With --check the programs of the event engine are executed on pseudo-random numbers and compared
with exact attention; for small meshes and shapes. Nothing is kept in the history.

Exit status: 0 done; 1 the work failed; 2 an argument or an input is wrong, the mapping does not fit
the chip, or the kernel is too large to be checked. A check that does not pass is work that failed.

Examples:
  $ tessera attention --chip flat-2026 --workload mha-prefill-d128-s4096 --dataflow flat-async
  $ tessera attention --chip flat-2026 --workload gqa-decode-d128-kv4096-sp2 --dataflow auto
  $ tessera attention --chip my-chip.json --workload mha-prefill-d128-s4096 --dataflow fa3 \\
      --set chip.hbm.channels.south=64 --set workload.batch=4 --json
  $ tessera attention --chip new-design --workload mha-prefill-d64-s512 --dataflow flat-async \\
      --set chip.tiles.x=4 --set chip.tiles.y=4 --set workload.heads=2 --set workload.kvHeads=2 --check`

/** `tessera attention` */
export function attentionCommand(output: Output): Command {
  const collect = (value: string, previous: readonly string[]) => [...previous, value]
  const command = new Command('attention')
    .description('simulate one attention kernel, and keep the result in the history')
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
  return addEventOptions(command)
    .addOption(
      new Option('--loaders <where>', 'which tiles of a group load; event engine').choices([
        'diagonal',
        'edge',
      ]),
    )
    .option('--explain', 'add formula, values and source of every number')
    .option('--json', 'print one JSON document')
    .option('--no-save', 'neither look into the history nor keep the result')
    .option('--again', 'run anew even if the history has the result')
    .option('--check', 'execute the kernel on real numbers instead of timing it')
    .addOption(
      new Option('--precision <id>', 'of --check; fp64 where nothing is said').choices(
        checkPrecisions,
      ),
    )
    .addHelpText('after', help)
    .action(async (options: Options) => {
      refuseMixedOptions(options)
      const { input, selection } = chosen(await resolveAttention(options))
      if (options.check === true) {
        await checkKernel(input, options.precision ?? 'fp64', options, output)
        return
      }
      const observer = await observeEvents(options, input)
      const simulate = async () => {
        const run = await simulateWithProgress(simulateAttention(input, observer.watch), output)
        await observer.finish(run, `${input.dataflow}, ${input.workload.name}`)
        return run.document
      }
      const again = options.again === true || observer.needsRun
      const document = options.save
        ? await runWithHistory({ input, again, simulate, kept: withoutActivity }, output)
        : await simulate()
      const printed = selection === undefined ? document : withSelection(document, selection)
      printDocument(
        { ...printed, regime: regimeVerdict(printed.input) },
        attentionText,
        options,
        output,
      )
    })
}

/** @throws UsageError where one option has no meaning beside another */
function refuseMixedOptions({ check, precision, trace, traceTiles, activity }: Options): void {
  if (precision !== undefined && check !== true) {
    throw new UsageError(`--precision ${precision}: is for --check only`)
  }
  if (check !== true) return
  if (trace !== undefined) {
    throw new UsageError(`--trace ${trace}: not with --check, which keeps no timeline`)
  }
  if (traceTiles !== undefined) {
    throw new UsageError(`--trace-tiles ${traceTiles}: not with --check, which keeps no timeline`)
  }
  if (activity === true) {
    throw new UsageError('--activity: not with --check, which keeps nothing over time')
  }
}

/** The history keeps the run of the chosen dataflow; the choice is made anew each time. */
function chosen(request: AttentionRequest): {
  readonly input: AttentionInput
  readonly selection?: DataflowSelection
} {
  const { dataflow } = request
  return dataflow === 'auto' ? finish(selectDataflow(request)) : { input: { ...request, dataflow } }
}

/** Values over time are megabytes that another run brings back: the history goes without them. */
function withoutActivity(document: AttentionDocument): AttentionDocument {
  if (document.event === undefined) return document
  const { activity, ...event } = document.event
  return activity === undefined ? document : { ...document, event }
}
