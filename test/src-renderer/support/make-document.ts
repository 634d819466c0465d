import type { AttentionResult } from '#shared/results/attention-result.ts'
import type { AttentionDocument } from '#shared/schema/attention-document.ts'
import type { AttentionInput, AttentionRequest } from '#shared/schema/attention-input.ts'
import { chipPresets, workloadPresets } from '#shared/presets/presets.ts'

/** A plausible result: 2 ms, 60 % busy; a test names only what matters to it. */
export function makeResult(overrides: Partial<AttentionResult> = {}): AttentionResult {
  const seconds = overrides.seconds ?? 0.002
  return {
    cycles: seconds * 965e6,
    seconds,
    matrixUtilization: 0.6,
    matrixActiveUtilization: 0.9,
    usefulFlops: 549_755_813_888,
    executedFlops: 549_755_813_888,
    hbmReadBytes: 96 * 2 ** 20,
    hbmWriteBytes: 32 * 2 ** 20,
    hbmBandwidthUtilization: 0.25,
    nocBytes: 512 * 2 ** 20,
    l1PeakBytes: 320 * 1024,
    arithmeticIntensity: 4096,
    bound: 'compute',
    mapping: {
      groupX: 32,
      groupY: 32,
      groups: 1,
      sliceRows: 128,
      sliceCols: 128,
      blockRows: 4096,
      blockCols: 4096,
      outerIterations: 1,
      innerIterations: 1,
      async: false,
    },
    breakdown: [
      { component: 'matrix', seconds: seconds * 0.6 },
      { component: 'vector', seconds: seconds * 0.1 },
      { component: 'hbm', seconds: seconds * 0.1 },
      { component: 'multicast', seconds: seconds * 0.05 },
      { component: 'max-reduction', seconds: seconds * 0.05 },
      { component: 'sum-reduction', seconds: seconds * 0.05 },
      { component: 'other', seconds: seconds * 0.05 },
    ],
    peakFlopsPerSecond: 1.0118e15,
    peakHbmBytesPerSecond: 2.048e12,
    ...overrides,
  }
}

/** The input of a run: the first 2026 chip and the longest D 128 workload unless said otherwise. */
export function makeInput(overrides: Partial<AttentionInput> = {}): AttentionInput {
  const chip = chipPresets.find(preset => preset.id === 'flat-2026')?.config
  const workload = workloadPresets.find(preset => preset.id === 'mha-prefill-d128-s4096')?.config
  if (chip === undefined || workload === undefined) throw new Error('the presets have changed')
  return {
    kind: 'attention',
    engine: 'phase',
    chip,
    workload,
    dataflow: 'flat-hc',
    mapping: {},
    ...overrides,
  }
}

export function makeDocument(
  overrides: Partial<AttentionResult> = {},
  request: Partial<AttentionRequest> = {},
): AttentionDocument {
  const result = makeResult(overrides)
  const { dataflow = 'flat-hc', ...rest } = request
  const input = { ...rest, dataflow: dataflow === 'auto' ? 'flat-async' : dataflow } as const
  return {
    schemaVersion: 1,
    modelVersion: '2026.11.1',
    input: makeInput(input),
    result,
    explanation: [
      {
        field: 'seconds',
        label: 'Runtime',
        value: result.seconds,
        unit: 's',
        formula: 'cycles / f',
        terms: [
          {
            symbol: 'cycles',
            name: 'cycles',
            value: result.cycles,
            unit: 'cycles',
            source: 'result.cycles',
          },
          { symbol: 'f', name: 'clock', value: 965e6, unit: 'Hz', source: 'chip.clockGHz' },
        ],
        source: 'definition',
      },
    ],
    warnings: [],
  }
}
