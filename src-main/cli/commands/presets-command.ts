import { Command } from 'commander'
import type { Output } from '#main/cli/output.ts'
import { indented, textTable } from '#main/cli/text-table.ts'
import { UsageError } from '#main/cli/usage-error.ts'
import type { Preset } from '#shared/presets/preset.ts'
import { clusterPresets } from '#shared/presets/cluster-presets.ts'
import { chipPresets, workloadPresets } from '#shared/presets/presets.ts'
import { modelPresets } from '#shared/presets/model-presets.ts'
import { systemPresets } from '#shared/presets/system-presets.ts'

interface ListedPreset extends Preset<unknown> {
  readonly kind: 'chip' | 'workload' | 'system' | 'model' | 'cluster'
}

const presets: readonly ListedPreset[] = [
  ...chipPresets.map(preset => ({ ...preset, kind: 'chip' as const })),
  ...workloadPresets.map(preset => ({ ...preset, kind: 'workload' as const })),
  ...systemPresets.map(preset => ({ ...preset, kind: 'system' as const })),
  ...clusterPresets.map(preset => ({ ...preset, kind: 'cluster' as const })),
  ...modelPresets.map(preset => ({ ...preset, kind: 'model' as const })),
]

/** `tessera presets list|show` */
export function presetsCommand(output: Output): Command {
  const command = new Command('presets')
    .description('the built-in chips, workloads, systems and models')
    .addHelpText('after', '\nExample:\n  $ tessera presets list')
  command
    .command('list')
    .description('every preset with its source')
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExample:\n  $ tessera presets list')
    .action((options: { json?: true }) => {
      list(options.json === true, output)
    })
  command
    .command('show')
    .description('one preset; with --json its configuration alone, to be edited and given back')
    .argument('<id>', 'preset id')
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExample:\n  $ tessera presets show flat-2026 --json > my-chip.json')
    .action((id: string, options: { json?: true }) => {
      show(id, options.json === true, output)
    })
  return command
}

function list(asJson: boolean, output: Output): void {
  if (asJson) {
    output.printJson(
      presets.map(({ kind, id, title, description, source }) => ({
        kind,
        id,
        title,
        description,
        source,
      })),
    )
    return
  }
  output.print(textTable(presets.map(({ kind, id, title, source }) => [kind, id, title, source])))
}

/** @throws UsageError for an unknown id */
function show(id: string, asJson: boolean, output: Output): void {
  const preset = presets.find(candidate => candidate.id === id)
  if (preset === undefined) {
    const known = presets.map(candidate => candidate.id).join(', ')
    throw new UsageError(`unknown preset "${id}"; known are ${known}`)
  }
  if (asJson) {
    output.printJson(preset.config)
    return
  }
  output.print(
    `${preset.title} (${preset.kind})\n${preset.description}\nSource: ${preset.source}\n`,
  )
  output.print(indented(textTable(fieldRows(preset.config, ''))))
}

function fieldRows(value: unknown, path: string): string[][] {
  if (typeof value !== 'object' || value === null) return [[path, String(value)]]
  return Object.entries(value).flatMap(([key, member]) =>
    fieldRows(member, path === '' ? key : `${path}.${key}`),
  )
}
