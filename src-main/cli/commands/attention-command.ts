import { Command, Option } from 'commander'
import { attentionText, explanationText } from '#main/cli/attention-text.ts'
import { engineOption } from '#main/cli/engine-option.ts'
import { openCommandCore } from '#main/cli/open-history.ts'
import type { Output } from '#main/cli/output.ts'
import { resolveAttention, type AttentionOptions } from '#main/cli/resolve-attention.ts'
import { simulateWithProgress } from '#main/cli/simulate-with-progress.ts'
import { traceRequest, writeTrace } from '#main/cli/trace-option.ts'
import { StorageError } from '#main/storage/storage-error.ts'
import { dataflowChoices } from '#shared/mapping/dataflow.ts'
import type { AttentionDocument, DataflowSelection } from '#shared/schema/attention-document.ts'
import type { AttentionInput, AttentionRequest } from '#shared/schema/attention-input.ts'
import { simulateAttention, withSelection } from '#shared/simulate/run-attention.ts'
import { selectDataflow } from '#shared/simulate/select-dataflow.ts'
import { finish } from '#shared/simulate/simulation.ts'

interface Options extends AttentionOptions {
  readonly explain?: true
  readonly json?: true
  readonly save: boolean
  readonly again?: true
  readonly trace?: string
  readonly traceTiles?: string
}

const help = `
A configuration is a preset id (tessera presets list), a JSON file, or - for standard input.

Exit status: 0 done; 1 the work failed; 2 an argument or an input is wrong, or the mapping does
not fit the chip.

Examples:
  $ tessera attention --chip flat-2026 --workload mha-prefill-d128-s4096 --dataflow flat-async
  $ tessera attention --chip flat-2026 --workload gqa-decode-d128-kv4096-sp2 --dataflow auto
  $ tessera attention --chip my-chip.json --workload mha-prefill-d128-s4096 --dataflow fa3 \\
      --set chip.hbm.channels.south=64 --set workload.batch=4 --json`

/** `tessera attention` */
export function attentionCommand(output: Output): Command {
  const collect = (value: string, previous: readonly string[]) => [...previous, value]
  return new Command('attention')
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
    .addOption(engineOption())
    .addOption(
      new Option('--loaders <where>', 'which tiles of a group load; event engine').choices([
        'diagonal',
        'edge',
      ]),
    )
    .option('--trace <file>', 'write a timeline as Chrome Trace JSON; event engine')
    .option('--trace-tiles <x,y ...>', 'tiles of the timeline; the first two where left out')
    .option('--explain', 'add formula, values and source of every number')
    .option('--json', 'print one JSON document')
    .option('--no-save', 'neither look into the history nor keep the result')
    .option('--again', 'run anew even if the history has the result')
    .addHelpText('after', help)
    .action(async (options: Options) => {
      const { input, selection } = chosen(await resolveAttention(options))
      const trace =
        options.trace === undefined
          ? undefined
          : await traceRequest(options.trace, options.traceTiles, input)
      const simulate = async () => {
        const run = await simulateWithProgress(simulateAttention(input, trace?.tiles ?? []), output)
        if (trace !== undefined) await writeTrace(trace, run)
        return run.document
      }
      const document = options.save
        ? await runWithHistory(
            input,
            options.again === true || trace !== undefined,
            simulate,
            output,
          )
        : await simulate()
      printDocument(
        selection === undefined ? document : withSelection(document, selection),
        options,
        output,
      )
    })
}

/** The history keeps the run of the chosen dataflow; the choice is made anew each time. */
function chosen(request: AttentionRequest): {
  readonly input: AttentionInput
  readonly selection?: DataflowSelection
} {
  const { dataflow } = request
  return dataflow === 'auto' ? finish(selectDataflow(request)) : { input: { ...request, dataflow } }
}

async function runWithHistory(
  input: AttentionInput,
  again: boolean,
  simulate: () => Promise<AttentionDocument>,
  output: Output,
): Promise<AttentionDocument> {
  const core = openCommandCore()
  try {
    const found = again ? undefined : withWarning(output, () => core.history.findRun(input))
    if (found !== undefined) {
      const [experimentId] = found.experimentIds
      const where = experimentId === undefined ? '' : ` (run ${String(experimentId)})`
      output.note(`from the history${where}; --again runs it anew`)
      return found.document
    }
    const startMs = performance.now()
    const document = await simulate()
    const elapsedMs = performance.now() - startMs
    if (core.storage.kind === 'ready') {
      const recorded = withWarning(output, () => core.history.recordRun(document, elapsedMs, again))
      if (recorded !== undefined) output.note(`kept as run ${String(recorded.experimentId)}`)
    }
    return document
  } finally {
    await core.close()
  }
}

/** A history that cannot be used does not keep the result from being printed. */
function withWarning<Result>(output: Output, work: () => Result): Result | undefined {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof StorageError)) throw error
    output.note(`warning: the result is not kept: ${error.message}`)
    return undefined
  }
}

function printDocument(
  document: AttentionDocument,
  { json, explain }: Options,
  output: Output,
): void {
  if (json === true) {
    const { explanation, ...rest } = document
    output.printJson(explain === true ? { ...rest, explanation } : rest)
    return
  }
  output.print(attentionText(document))
  if (explain === true) output.print(`\nExplanation\n\n${explanationText(document.explanation)}`)
}
