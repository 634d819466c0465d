import { Command } from 'commander'
import { checkTarget } from '#main/cli/check-target.ts'
import { collectId } from '#main/cli/experiment-ids.ts'
import type { Output } from '#main/cli/output.ts'
import { writeWholeFile } from '#main/export/write-whole-file.ts'
import { openHost } from '#main/server/open-host.ts'
import { appVersion } from '#main/start/app-version.ts'
import { buildWhenStale } from '#main/start/build-when-stale.ts'
import { pageDirectory } from '#main/start/serve.ts'

/** `tessera report` */
export function reportCommand(output: Output): Command {
  return new Command('report')
    .description('a report of runs as a PDF, printed by Chromium')
    .argument('<runs...>', 'from "tessera runs list"', collectId)
    .requiredOption('--out <file>', 'the PDF')
    .addHelpText('after', '\nExample:\n  $ tessera report 3 4 --out comparison.pdf')
    .action(async (ids: readonly number[], { out }: { out: string }) => {
      checkTarget(out)
      await report(ids, out, output)
    })
}

async function report(ids: readonly number[], out: string, output: Output): Promise<void> {
  await buildWhenStale(output.note)
  const host = await openHost({ kind: 'cli', appVersion, pageDirectory, port: 0, log: output.note })
  try {
    for (const id of ids) host.core.history.get(id) // names the one that does not exist
    await writeWholeFile(out, await host.printPdf(ids))
    output.note(
      `report of ${String(ids.length)} run${ids.length === 1 ? '' : 's'} written to ${out}`,
    )
  } finally {
    await host.close()
  }
}
