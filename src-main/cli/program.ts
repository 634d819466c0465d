import { Command } from 'commander'
import { attentionCommand } from '#main/cli/commands/attention-command.ts'
import { collectiveCommand } from '#main/cli/commands/collective-command.ts'
import { decodeCommand } from '#main/cli/commands/decode-command.ts'
import { dispatchCommand } from '#main/cli/commands/dispatch-command.ts'
import { gemmCommand } from '#main/cli/commands/gemm-command.ts'
import { planCommand } from '#main/cli/commands/plan-command.ts'
import { presetsCommand } from '#main/cli/commands/presets-command.ts'
import { reportCommand } from '#main/cli/commands/report-command.ts'
import { runsCommand } from '#main/cli/commands/runs-command.ts'
import { schemaCommand } from '#main/cli/commands/schema-command.ts'
import { sensitivityCommand } from '#main/cli/commands/sensitivity-command.ts'
import { serveCommand } from '#main/cli/commands/serve-command.ts'
import { tuneCommand } from '#main/cli/commands/tune-command.ts'
import { validateCommand } from '#main/cli/commands/validate-command.ts'
import { vectorCommand } from '#main/cli/commands/vector-command.ts'
import { createOutput, type Streams } from '#main/cli/output.ts'
import { appVersion } from '#main/start/app-version.ts'

/** The whole command line. Parsing throws CommanderError instead of ending the process. */
export function createProgram(streams: Streams): Command {
  const output = createOutput(streams)
  const program = new Command('tessera')
    .description('Workbench for tile-based AI accelerators and the dataflows that run on them.')
    .version(appVersion)
    .addHelpText(
      'after',
      '\nExample:\n  $ tessera attention --chip flat-2026 --workload mha-prefill-d128-s4096 --dataflow flat-async',
    )
    .addCommand(attentionCommand(output))
    .addCommand(tuneCommand(output))
    .addCommand(sensitivityCommand(output))
    .addCommand(collectiveCommand(output))
    .addCommand(gemmCommand(output))
    .addCommand(vectorCommand(output))
    .addCommand(dispatchCommand(output))
    .addCommand(decodeCommand(output))
    .addCommand(planCommand(output))
    .addCommand(validateCommand(output))
    .addCommand(runsCommand(output))
    .addCommand(reportCommand(output))
    .addCommand(presetsCommand(output))
    .addCommand(schemaCommand(output))
    .addCommand(serveCommand(output))
  prepare(program, streams)
  return program
}

/** Commander hands these down to commands that it makes itself only. */
function prepare(command: Command, streams: Streams): void {
  command.exitOverride().configureOutput(streams)
  for (const child of command.commands) prepare(child, streams)
}
