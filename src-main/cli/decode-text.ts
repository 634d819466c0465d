import { indented, textTable } from '#main/cli/text-table.ts'
import { warningsSection } from '#main/cli/warnings-text.ts'
import type { DecodeKernelRow, DecodeResult } from '#shared/results/decode-result.ts'
import type { DecodeDocument, DecodeInput } from '#shared/schema/decode-input.ts'
import {
  formatBytes,
  formatCount,
  formatNumber,
  formatPercent,
  formatSeconds,
} from '#shared/units/format.ts'

/** A result for people: the rates, the kernels of the slowest stage, communication and memory. */
export function decodeText({ input, result, warnings }: DecodeDocument): string {
  return [
    heading(input),
    ratesText(result),
    kernelsText(result),
    communicationText(result),
    memoryText(result),
    ...warningsSection(warnings),
  ].join('\n\n')
}

function heading({ system, model, deployment }: DecodeInput): string {
  const { x, y } = system.chips
  const { batchPerChip, kvLength, expertParallel, pipelineParallel, attention } = deployment
  return (
    `${model.name} on ${system.name} (${String(x)} x ${String(y)}), EP${String(expertParallel)}-PP${String(pipelineParallel)}\n` +
    `${formatCount(batchPerChip, 'sequences')} per chip, KV ${String(kvLength)}, ${attention} attention, ` +
    `communication: ${deployment.communication}`
  )
}

function ratesText(result: DecodeResult): string {
  const { pipeline } = result
  return textTable([
    [
      'TPOT',
      formatSeconds(result.tpotSeconds),
      `${formatNumber(result.tokensPerSecondPerUser)} tokens/s per user`,
    ],
    [
      'Iteration',
      formatSeconds(result.iterationSeconds),
      `${formatNumber(result.tokensPerIteration)} tokens of each sequence`,
    ],
    ['Layer', formatSeconds(result.layerSeconds), 'mean'],
    [
      'Throughput per chip',
      `${formatNumber(result.tokensPerSecondPerChip)} tokens/s`,
      pipeline.idleChips === 0
        ? ''
        : `${formatNumber(result.tokensPerSecondPerBusyChip)} without ${formatCount(pipeline.idleChips, 'idle chips')}`,
    ],
    ['Throughput', `${formatNumber(result.systemTokensPerSecond)} tokens/s`, ''],
    ['Sequences in flight', formatNumber(result.sequencesInFlight), ''],
    [
      'Parameters',
      formatNumber(result.parameters.total),
      `${formatNumber(result.parameters.activeWithHead)} for each token, with the head`,
    ],
    [
      'Stages',
      formatNumber(pipeline.layersPerStage.length),
      `busy ${formatPercent(pipeline.efficiency)} of the slowest, filled after ${formatSeconds(pipeline.fillSeconds)}`,
    ],
  ])
}

/** The stage that takes longest: the others wait for it. */
function slowestStage({ pipeline }: DecodeResult): number {
  const { stageSeconds } = pipeline
  return stageSeconds.indexOf(Math.max(...stageSeconds))
}

function kernelsText(result: DecodeResult): string {
  const stage = slowestStage(result)
  const rows = result.kernels.filter(kernel => kernel.stage === stage)
  const table = textTable(
    [['KERNEL', 'RUNS', 'ONE', 'ALL', 'SHARE', 'MATRIX', 'HBM', 'BOUND'], ...rows.map(kernelRow)],
    ['left', 'right', 'right', 'right', 'right', 'right', 'right', 'left'],
  )
  return `Kernels of an iteration in stage ${String(stage)}, on one chip\n${indented(table)}`
}

/** A row of the table of kernels. */
export const kernelRow = (row: DecodeKernelRow): string[] => [
  row.name,
  formatNumber(row.count),
  formatSeconds(row.seconds / row.count),
  formatSeconds(row.seconds),
  formatPercent(row.share),
  row.flops === 0 ? '' : formatPercent(row.matrixUtilization),
  formatPercent(row.hbmBandwidthUtilization),
  row.bound,
]

function communicationText({ communication }: DecodeResult): string {
  const { dispatchSeconds, combineSeconds, pipelineSeconds, exposedSeconds } = communication
  const table = textTable([
    ['Dispatch', formatSeconds(dispatchSeconds), 'of a layer'],
    ['Combine', formatSeconds(combineSeconds), 'of a layer'],
    ['Waited for', formatSeconds(exposedSeconds), 'of a layer'],
    ['Hand-overs', formatSeconds(pipelineSeconds), 'of an iteration'],
    ['Busiest link', formatBytes(communication.maxLinkBytes), 'in one exchange'],
  ])
  return `Communication\n${indented(table)}`
}

function memoryText({ memory, fits }: DecodeResult): string {
  const table = textTable([
    ['Weights', formatBytes(memory.weightsBytes)],
    ['KV cache', formatBytes(memory.kvCacheBytes)],
    ['Activations', formatBytes(memory.activationBytes)],
    ['Together', `${formatBytes(memory.totalBytes)} of ${formatBytes(memory.capacityBytes)}`],
    fits ? ['Fits', 'yes'] : ['Fits', `no, ${formatBytes(memory.missingBytes)} are missing`],
  ])
  return `Memory of the fullest chip\n${indented(table)}`
}
