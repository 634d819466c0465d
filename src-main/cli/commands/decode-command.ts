import { Command, Option } from 'commander'
import { clusterText } from '#main/cli/cluster-text.ts'
import { decodeText } from '#main/cli/decode-text.ts'
import { engineOption } from '#main/cli/engine-option.ts'
import type { Output } from '#main/cli/output.ts'
import { printDocument, type PrintOptions } from '#main/cli/print-document.ts'
import { isCluster, readSystemOrCluster } from '#main/cli/read-system.ts'
import { runWithHistory } from '#main/cli/run-with-history.ts'
import { resolveCluster } from '#main/cli/resolve-cluster.ts'
import { resolveDecode, type DecodeOptions } from '#main/cli/resolve-decode.ts'
import { communicationModes, decodeAttentions, layerCountings } from '#shared/schema/deployment.ts'
import { simulateWithProgress } from '#main/cli/simulate-with-progress.ts'
import { routingPatterns } from '#shared/schema/dispatch-input.ts'
import { estimateCluster } from '#shared/simulate/run-cluster.ts'
import { runDecode } from '#shared/simulate/run-decode.ts'

interface Options extends DecodeOptions, PrintOptions {
  readonly save: boolean
  readonly again?: true
}

const help = `
System and model are preset ids (tessera presets list), JSON files, or - for standard input. Without
--ep and --pp all chips are used, up to 32 of them for the experts of a layer. The result is kept in
the history, that of a GPU cluster is only printed.

The presets wafer-1tb and wafer-160gb are timed as the published deployments are: 61 equal layers
with experts, vector kernels until tile 0 is through. For the model as it is:
  --layers exact --set deployment.referenceArtefacts.firstTileTimer=false \\
  --set deployment.referenceArtefacts.downProjectionLikeUp=false

A GPU cluster, such as h800-ep144, is timed by rooflines with measured shares of its peaks, to hold
a wafer against; what is not said is as its usual deployment.

Exit status: 0 done; 2 an argument or an input is wrong, or the deployment does not fit.

Examples:
  $ tessera decode --system wafer-1tb --batch 256 --kv 4096 --ep 32 --pp 2 --attention flat
  $ tessera decode --system wafer-160gb --batch 128 --ep 64 --pp 1 --communication overlap \\
      --set system.d2d.topology=torus --json
  $ tessera decode --system h800-ep144 --communication none`

/** Adds the options that describe a deployment, all but its batch and split. */
export function withDeploymentOptions(command: Command): Command {
  const collect = (value: string, previous: readonly string[]) => [...previous, value]
  const choice = (flags: string, description: string, choices: readonly string[]) =>
    new Option(flags, description).choices(choices)
  return command
    .requiredOption('--system <preset|file>', 'the chips and their links')
    .option('--model <preset|file>', 'the model', 'deepseek-v3-671b')
    .option('--kv <tokens>', 'context of a sequence, with the new tokens', '4096')
    .option('--speculative <n>', 'tokens of a sequence in an iteration', '2')
    .option('--acceptance <p[,p ...]>', 'chance of a draft; or of each, in order', '0.7')
    .addOption(choice('--communication <id>', 'of a layer', communicationModes).default('barrier'))
    .addOption(choice('--routing <id>', 'choice of experts', routingPatterns).default('balanced'))
    .addOption(choice('--layers <id>', 'which layers count', layerCountings))
    .option(
      '--set <path=value>',
      'override a field of system, model or deployment; after the options; repeatable',
      collect,
      [],
    )
}

/** `tessera decode` */
export function decodeCommand(output: Output): Command {
  return withDeploymentOptions(
    new Command('decode').description('simulate a model that decodes on a system of chips'),
  )
    .option('--batch <n>', 'sequences of a chip', '256')
    .option('--ep <n>', 'chips that share the experts')
    .option('--pp <n>', 'pipeline stages')
    .addOption(new Option('--attention <id>', 'kernel').choices(decodeAttentions).default('flat'))
    .addOption(engineOption())
    .option('--ignore-capacity', 'time it even if it does not fit in memory')
    .option('--explain', 'add formula, values and source of every number')
    .option('--json', 'print one JSON document')
    .option('--no-save', 'neither look into the history nor keep the result')
    .option('--again', 'run anew even if the history has the result')
    .addHelpText('after', help)
    .action(async (options: Options, command: Command) => {
      const given = await readSystemOrCluster(options.system)
      if (isCluster(given)) {
        const input = await resolveCluster(given, options, namedOptions(command))
        printDocument(estimateCluster(input), clusterText, options, output)
        return
      }
      const input = await resolveDecode(options, undefined, given)
      const simulate = () => simulateWithProgress(runDecode(input), output)
      const again = options.again === true
      const document = options.save
        ? await runWithHistory({ input, again, simulate }, output)
        : await simulate()
      printDocument(document, decodeText, options, output)
    })
}

/** Options that were given, and not left at their defaults. */
const namedOptions = (command: Command): ReadonlySet<string> =>
  new Set(Object.keys(command.opts()).filter(key => command.getOptionValueSource(key) === 'cli'))
