import { flops } from '#shared/units/quantity.ts'
import { peakFlops } from '#shared/hardware/chip.ts'
import { MODEL_VERSION } from '#shared/model-version.ts'
import type { AttentionDocument } from '#shared/schema/attention-document.ts'
import type { AttentionInput } from '#shared/schema/attention-input.ts'
import { resolveChip } from '#shared/schema/chip.ts'
import { SCHEMA_VERSION } from '#shared/schema/schema-version.ts'
import { resolveWorkload } from '#shared/schema/workload.ts'
import { InfeasibleError, type Simulation } from '#shared/simulate/simulation.ts'
import { compulsoryBytes, usefulFlops } from '#shared/workload/attention.ts'

/**
 * Simulates one attention kernel.
 *
 * @throws InfeasibleError where the mapping does not fit the chip
 */
export function estimateAttention(input: AttentionInput): AttentionDocument {
  const chip = resolveChip(input.chip)
  const workload = resolveWorkload(input.workload)
  if (workload.variant === 'mla') throw new InfeasibleError('placeholder: MLA is not modelled')
  const useful = usefulFlops(workload)
  const seconds = useful / peakFlops(chip) / 0.9
  const traffic = compulsoryBytes(workload)
  return {
    schemaVersion: SCHEMA_VERSION,
    modelVersion: MODEL_VERSION,
    input,
    result: {
      cycles: seconds * chip.clock,
      seconds,
      matrixUtilization: 0.9,
      matrixActiveUtilization: 0.97,
      usefulFlops: useful,
      executedFlops: flops(useful),
      hbmReadBytes: traffic / 2,
      hbmWriteBytes: traffic / 2,
      hbmBandwidthUtilization: 0.2,
      nocBytes: traffic,
      l1PeakBytes: 330240,
      arithmeticIntensity: useful / traffic,
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
        async: true,
      },
      breakdown: [
        { component: 'matrix', seconds: seconds * 0.9 },
        { component: 'vector', seconds: 0 },
        { component: 'hbm', seconds: seconds * 0.05 },
        { component: 'multicast', seconds: seconds * 0.01 },
        { component: 'max-reduction', seconds: seconds * 0.01 },
        { component: 'sum-reduction', seconds: seconds * 0.01 },
        { component: 'other', seconds: seconds * 0.02 },
      ],
      peakFlopsPerSecond: peakFlops(chip),
      peakHbmBytesPerSecond: 2.048e12,
    },
    explanation: [
      {
        field: 'usefulFlops',
        label: 'Useful FLOPs',
        value: useful,
        unit: 'FLOP',
        formula: '4 · B · H · q · kv · d',
        terms: [
          {
            symbol: 'B',
            name: 'batch',
            value: workload.batch,
            unit: '1',
            source: 'workload.batch',
          },
        ],
        source: 'counting',
      },
    ],
    warnings: [],
  }
}

/** The same as a simulation: progress in steps, for a worker. */
export function* runAttention(input: AttentionInput): Simulation<AttentionDocument> {
  for (let step = 0; step < 20; step++) {
    yield { phase: 'placeholder', done: step, total: 20 }
  }
  return estimateAttention(input)
}
