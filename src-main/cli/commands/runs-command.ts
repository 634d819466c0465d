import { Command } from 'commander'
import { attentionText } from '#main/cli/attention-text.ts'
import { decodeText } from '#main/cli/decode-text.ts'
import { explanationText } from '#main/cli/explanation-text.ts'
import { checkTarget } from '#main/cli/check-target.ts'
import { collectId } from '#main/cli/experiment-ids.ts'
import { withHistory } from '#main/cli/open-history.ts'
import type { Output } from '#main/cli/output.ts'
import { parseJson } from '#main/cli/parse-json.ts'
import { readText } from '#main/cli/read-text.ts'
import { localTime, runsListText } from '#main/cli/runs-list-text.ts'
import { UsageError } from '#main/cli/usage-error.ts'
import { writeWholeFile } from '#main/export/write-whole-file.ts'
import type { KeptDocument } from '#main/storage/run-repository.ts'
import type { Experiment } from '#shared/ipc/contract.ts'

interface JsonOption {
  readonly json?: true
}

/** `tessera runs list|show|export|import|delete|restore` */
export function runsCommand(output: Output): Command {
  return new Command('runs')
    .description('the history: what was run on this machine')
    .addHelpText('after', '\nExample:\n  $ tessera runs list')
    .addCommand(listCommand(output))
    .addCommand(showCommand(output))
    .addCommand(exportCommand(output))
    .addCommand(importCommand(output))
    .addCommand(deleteCommand(output))
    .addCommand(restoreCommand(output))
}

function listCommand(output: Output): Command {
  return new Command('list')
    .description('the runs, newest first')
    .option('--trashed', 'those in the trash instead')
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExample:\n  $ tessera runs list --json')
    .action(async ({ trashed, json }: JsonOption & { trashed?: true }) => {
      const summaries = await withHistory(history => history.list(trashed === true))
      if (json === true) output.printJson(summaries)
      else if (summaries.length === 0)
        output.note(trashed === true ? 'the trash is empty' : emptyHistory)
      else output.print(runsListText(summaries))
    })
}

const emptyHistory = 'the history is empty; "tessera attention --help" shows how to run something'

function showCommand(output: Output): Command {
  return new Command('show')
    .description('everything about one run')
    .argument('<run>', 'from "tessera runs list"', text => collectId(text))
    .option('--explain', 'add formula, values and source of every number')
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExample:\n  $ tessera runs show 12 --explain')
    .action(async ([id = 0]: readonly number[], options: JsonOption & { explain?: true }) => {
      const experiment = await withHistory(history => history.get(id))
      if (options.json === true) output.printJson(experiment)
      else output.print(experimentText(experiment, options.explain === true))
    })
}

function experimentText(experiment: Experiment, explain: boolean): string {
  const { id, name, createdAtMs, trashedAtMs, tags, note: remark } = experiment
  const head = [
    `Run ${String(id)}: ${name}`,
    `Made ${localTime(createdAtMs)}${trashedAtMs === null ? '' : ', in the trash'}`,
    ...(tags.length > 0 ? [`Tags: ${tags.join(', ')}`] : []),
    ...(remark === '' ? [] : [remark]),
  ]
  const bodies =
    experiment.kind === 'attention'
      ? experiment.runs.map(run => runText(run.dataflow, run, attentionText, explain))
      : experiment.runs.map(run => runText('deployment', run, decodeText, explain))
  return [head.join('\n'), ...bodies].join('\n\n')
}

interface ShownRun<Document> {
  readonly status: string
  readonly stale: boolean
  readonly message: string | null
  readonly document: Document | null
}

function runText<Document extends Pick<KeptDocument, 'modelVersion' | 'explanation'>>(
  label: string,
  { status, stale, message, document }: ShownRun<Document>,
  text: (document: Document) => string,
  explain: boolean,
): string {
  if (document === null) return `${label}: ${status}${message === null ? '' : `: ${message}`}`
  const age = stale ? `Made by model ${document.modelVersion}, which is not the present one.\n` : ''
  const explanation = explain ? `\n\n${explanationText(document.explanation)}` : ''
  return `${age}${text(document)}${explanation}`
}

function exportCommand(output: Output): Command {
  return new Command('export')
    .description('runs with their results, as one JSON document')
    .argument('[runs...]', 'from "tessera runs list"; all that are not in the trash', collectId)
    .option('--out <file>', 'write there instead of to standard output')
    .addHelpText('after', '\nExample:\n  $ tessera runs export 3 4 --out runs.json')
    .action(async (ids: readonly number[] | undefined, { out }: { out?: string }) => {
      if (out !== undefined) checkTarget(out)
      const file = await withHistory(history => history.exportRuns(ids?.length ? ids : 'all'))
      if (out === undefined) {
        output.printJson(file)
        return
      }
      await writeWholeFile(out, `${JSON.stringify(file, null, 2)}\n`)
      output.note(`${runCount(file.experiments.length)} written to ${out}`)
    })
}

function importCommand(output: Output): Command {
  return new Command('import')
    .description('add the runs of an exported file, all of them or none')
    .argument('<file>', 'from "tessera runs export"; - for standard input')
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExample:\n  $ tessera runs import runs.json')
    .action(async (path: string, { json }: JsonOption) => {
      const raw = parseJson(await readImport(path), path === '-' ? 'standard input' : path)
      const summary = await withHistory(history => history.importRuns(raw))
      if (json === true) output.printJson(summary)
      else {
        const { importedIds, skipped } = summary
        const were = skipped === 1 ? 'was' : 'were'
        output.print(
          `${runCount(importedIds.length)} imported, ${String(skipped)} ${were} there already`,
        )
      }
    })
}

const runCount = (count: number): string => `${String(count)} run${count === 1 ? '' : 's'}`

/** Near the longest text that JavaScript has. */
const maximumCharacters = 500_000_000

async function readImport(path: string): Promise<string> {
  try {
    return await readText(path, maximumCharacters)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new UsageError(`${path}: cannot be read: ${reason}`, { cause: error })
  }
}

function deleteCommand(output: Output): Command {
  return new Command('delete')
    .description('move runs to the trash')
    .argument('<runs...>', 'from "tessera runs list"', collectId)
    .option('--permanently', 'delete them for good, also from the trash')
    .addHelpText('after', '\nExample:\n  $ tessera runs delete 3 4')
    .action(async (ids: readonly number[], { permanently }: { permanently?: true }) => {
      await withHistory(history => {
        if (permanently === true) history.deleteRuns(ids)
        else history.trash(ids)
      })
      const list = ids.join(' ')
      if (permanently === true) output.note(`deleted: ${list}`)
      else
        output.note(`moved to the trash: ${list}; "tessera runs restore ${list}" brings them back`)
    })
}

function restoreCommand(output: Output): Command {
  return new Command('restore')
    .description('bring runs back from the trash')
    .argument('<runs...>', 'from "tessera runs list --trashed"', collectId)
    .addHelpText('after', '\nExample:\n  $ tessera runs restore 3')
    .action(async (ids: readonly number[]) => {
      await withHistory(history => {
        history.restore(ids)
      })
      output.note(`restored: ${ids.join(' ')}`)
    })
}
