import { kernelRow } from '#main/cli/decode-text.ts'
import { indented, textTable } from '#main/cli/text-table.ts'
import { warningsSection } from '#main/cli/warnings-text.ts'
import type { ClusterResult } from '#shared/results/cluster-result.ts'
import type { ClusterDocument, ClusterInput } from '#shared/schema/cluster-input.ts'
import { formatBytes, formatCount, formatNumber, formatSeconds } from '#shared/units/format.ts'

/** A cluster's numbers for people: the rates, what an iteration is spent on, kernels, memory. */
export function clusterText({ input, result, warnings }: ClusterDocument): string {
  return [
    heading(input),
    ratesText(result),
    termsText(result),
    kernelsText(result),
    memoryText(result),
    ...warningsSection(warnings),
  ].join('\n\n')
}

function heading({ system, model, deployment }: ClusterInput): string {
  const { batchPerChip, kvLength, expertParallel, communication } = deployment
  return (
    `${model.name} on ${system.name} (${formatCount(system.gpus, 'GPUs')}), EP${String(expertParallel)}\n` +
    `${formatCount(batchPerChip, 'sequences')} per GPU, KV ${String(kvLength)}, communication: ${communication}`
  )
}

const ratesText = (result: ClusterResult): string =>
  textTable([
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
    ['Throughput per GPU', `${formatNumber(result.tokensPerSecondPerChip)} tokens/s`, ''],
    ['Throughput', `${formatNumber(result.systemTokensPerSecond)} tokens/s`, ''],
    ['Sequences in flight', formatNumber(result.sequencesInFlight), ''],
  ])

const termTitles: Readonly<Record<ClusterResult['terms'][number]['term'], string>> = {
  weights: 'Reading weights',
  'kv-cache': 'Reading the KV cache',
  matrix: 'GEMMs',
  attention: 'Attention',
  'all-to-all': 'Dispatch and combine',
}

function termsText({ terms, communication }: ClusterResult): string {
  const table = textTable(
    terms.map(({ term, seconds }) => [termTitles[term], formatSeconds(seconds)]),
    ['left', 'right'],
  )
  return (
    `An iteration, each part as if alone; ${formatSeconds(communication.exposedSeconds)} of the ` +
    `network are waited for\n${indented(table)}`
  )
}

const kernelsText = ({ kernels }: ClusterResult): string =>
  `Kernels of an iteration, on one GPU\n${indented(
    textTable(
      [
        ['KERNEL', 'RUNS', 'ONE', 'ALL', 'SHARE', 'MATRIX', 'HBM', 'BOUND'],
        ...kernels.map(kernelRow),
      ],
      ['left', 'right', 'right', 'right', 'right', 'right', 'right', 'left'],
    ),
  )}`

function memoryText({ memory, fits }: ClusterResult): string {
  const table = textTable([
    ['Weights', formatBytes(memory.weightsBytes)],
    ['KV cache', formatBytes(memory.kvCacheBytes)],
    ['Together', `${formatBytes(memory.totalBytes)} of ${formatBytes(memory.capacityBytes)}`],
    fits ? ['Fits', 'yes'] : ['Fits', `no, ${formatBytes(memory.missingBytes)} are missing`],
  ])
  return `Memory of a GPU\n${indented(table)}`
}
