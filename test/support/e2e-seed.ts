import { inputSha256 } from '#main/storage/run-identity.ts'
import type {
  HistoryFile,
  HistoryFileAttention,
  HistoryFileExperiment,
} from '#main/storage/history-file.ts'
import { MODEL_VERSION } from '#shared/model-version.ts'
import type { Preset } from '#shared/presets/preset.ts'
import { chipPresets, workloadPresets } from '#shared/presets/presets.ts'
import { runInputs, type ExperimentSpec } from '#shared/schema/attention-input.ts'
import { SCHEMA_VERSION } from '#shared/schema/schema-version.ts'
import { estimateAttention } from '#shared/simulate/run-attention.ts'
import { tesseraJson } from '#test/support/e2e-command.ts'

const firstCreatedAtMs = Date.UTC(2026, 10, 1, 8)
const minuteMs = 60_000

/** What the Lab shows first, with all dataflows, unless changed. */
export const makeSpec = (changes: Partial<ExperimentSpec> = {}): ExperimentSpec => ({
  name: 'First experiment',
  chip: presetConfig(chipPresets, 'flat-2026'),
  workload: presetConfig(workloadPresets, 'mha-prefill-d128-s4096'),
  mapping: {},
  dataflows: ['fa2', 'fa3', 'flat-sc', 'flat-tc', 'flat-hc', 'flat-async'],
  ...changes,
})

/** @throws Error for an id that no preset has */
export function presetConfig<Config>(presets: readonly Preset<Config>[], id: string): Config {
  const preset = presets.find(candidate => candidate.id === id)
  if (preset === undefined) throw new Error(`there is no preset ${id}`)
  return preset.config
}

/** A finished experiment as it stands in an exported file, made `index` minutes after the first. */
export function finishedExperiment(spec: ExperimentSpec, index = 0): HistoryFileAttention {
  return {
    kind: 'attention',
    name: spec.name,
    note: '',
    tags: [],
    createdAtMs: firstCreatedAtMs + index * minuteMs,
    spec,
    runs: runInputs(spec).map(input => ({
      dataflow: input.dataflow,
      inputSha256: inputSha256(input),
      modelVersion: MODEL_VERSION,
      startedAtMs: firstCreatedAtMs + index * minuteMs,
      status: 'done',
      elapsedMs: 5,
      document: estimateAttention(input),
    })),
  }
}

/**
 * Puts experiments into a history through `tessera runs import`.
 *
 * @returns their ids, in the order given
 */
export async function importExperiments(
  dataDirectory: string,
  experiments: readonly HistoryFileExperiment[],
): Promise<number[]> {
  const file: HistoryFile = {
    format: 'tessera-history',
    schemaVersion: SCHEMA_VERSION,
    appVersion: '0.0.0',
    exportedAtMs: firstCreatedAtMs,
    experiments: [...experiments],
  }
  const summary = await tesseraJson(dataDirectory, ['runs', 'import', '-'], JSON.stringify(file))
  return (summary as { importedIds: number[] }).importedIds
}

/** Puts one finished experiment into a history. @returns its id */
export async function importFinished(
  dataDirectory: string,
  changes: Partial<ExperimentSpec> = {},
  index = 0,
): Promise<number> {
  const [id] = await importExperiments(dataDirectory, [
    finishedExperiment(makeSpec(changes), index),
  ])
  if (id === undefined) throw new Error('the experiment was there already')
  return id
}
