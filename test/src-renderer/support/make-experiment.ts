import type { AttentionExperiment, ExperimentSummary, Run } from '#shared/ipc/contract.ts'
import type { Dataflow } from '#shared/mapping/dataflow.ts'
import { makeDocument, makeInput } from '#test/src-renderer/support/make-document.ts'

export function makeRun(overrides: Partial<Run> = {}): Run {
  const dataflow: Dataflow = overrides.dataflow ?? 'flat-hc'
  return {
    id: 1,
    dataflow,
    inputSha256: 'a'.repeat(64),
    modelVersion: '2026.11.1',
    stale: false,
    status: 'done',
    message: null,
    startedAtMs: 1_700_000_000_000,
    elapsedMs: 12,
    document: makeDocument({}, { dataflow }),
    ...overrides,
  }
}

export function makeExperiment(overrides: Partial<AttentionExperiment> = {}): AttentionExperiment {
  const { chip, workload, mapping } = makeInput()
  const runs = overrides.runs ?? [makeRun()]
  return {
    id: 1,
    kind: 'attention',
    name: 'First light',
    note: '',
    tags: [],
    createdAtMs: 1_700_000_000_000,
    trashedAtMs: null,
    spec: { name: '', chip, workload, mapping, dataflows: runs.map(run => run.dataflow) },
    runs,
    ...overrides,
  }
}

export function makeSummary(overrides: Partial<ExperimentSummary> = {}): ExperimentSummary {
  return {
    id: 1,
    kind: 'attention',
    name: 'First light',
    note: '',
    tags: [],
    createdAtMs: 1_700_000_000_000,
    trashedAtMs: null,
    chipName: 'FlatAttention 2026',
    workloadName: 'MHA prefill',
    runs: [{ id: 1, dataflow: 'flat-hc', status: 'done', seconds: 0.002, matrixUtilization: 0.6 }],
    ...overrides,
  }
}
