import { measuredSystems, shortTitle } from '#renderer/results/decode/measured-systems.ts'
import { lettered } from '#renderer/results/run-view.ts'
import type { DecodeExperiment, Experiment } from '#shared/ipc/contract.ts'
import { formatBytes, formatNumber, formatRatio, formatSeconds } from '#shared/units/format.ts'

/** A deployment as a column: one that was kept, or one that others have measured. */
export interface DecodeColumn {
  readonly key: string
  readonly label: string
  readonly name: string
  readonly experimentId: number | undefined
  readonly tpotSeconds: number
  readonly tokensPerSecondPerChip: number
  readonly chips: number
  readonly batchPerChip: number
  readonly kvLength: number
  readonly layerSeconds: number | undefined
  readonly memoryBytes: number | undefined
}

/** The experiments on deployments among all. */
export const decodeExperiments = (experiments: readonly Experiment[]): DecodeExperiment[] =>
  experiments.filter(experiment => experiment.kind === 'decode')

/** The kept deployments that have a result, then the measured ones. */
export function decodeColumns(experiments: readonly DecodeExperiment[]): DecodeColumn[] {
  const kept = lettered(experiments).flatMap(({ letter, experiment: { id, name, input, runs } }) =>
    runs.flatMap(({ document }) => {
      if (document === null) return []
      const { tpotSeconds, tokensPerSecondPerChip, layerSeconds, memory } = document.result
      const { batchPerChip, kvLength } = input.deployment
      const chips = input.system.chips.x * input.system.chips.y
      return [
        {
          ...{ key: String(id), label: letter, name, experimentId: id },
          ...{ tpotSeconds, tokensPerSecondPerChip, layerSeconds, memoryBytes: memory.totalBytes },
          ...{ chips, batchPerChip, kvLength },
        },
      ]
    }),
  )
  const measured = measuredSystems.map(
    ({ id, title, tpotMs, tokensPerSecondPerChip, chips, batchPerChip, kvLength }) => ({
      ...{ key: id, label: shortTitle(title), name: `${title}, measured`, experimentId: undefined },
      ...{ tpotSeconds: tpotMs / 1000, tokensPerSecondPerChip, chips, batchPerChip, kvLength },
      ...{ layerSeconds: undefined, memoryBytes: undefined },
    }),
  )
  return [...kept, ...measured]
}

export interface DecodeRow {
  readonly label: string
  /** One for each column. */
  readonly texts: readonly string[]
  /** Times the first column; undefined where it says nothing of better or worse. */
  readonly ratios?: readonly string[]
}

/** Every number of the columns, with its ratio to the first. */
export function decodeRows(columns: readonly DecodeColumn[]): DecodeRow[] {
  const [first] = columns
  if (first === undefined) return []
  const row = (
    label: string,
    value: (column: DecodeColumn) => number | undefined,
    text: (value: number | undefined) => string,
    hasRatio = true,
  ): DecodeRow => {
    const base = value(first)
    const ratioOf = (column: DecodeColumn): string => {
      const own = value(column)
      return own === undefined || base === undefined ? '' : formatRatio(own / base)
    }
    const texts = columns.map(column => text(value(column)))
    return hasRatio ? { label, texts, ratios: columns.map(ratioOf) } : { label, texts }
  }
  return [
    row('TPOT', column => column.tpotSeconds, formatSeconds),
    row(
      'Throughput per chip, tokens/s',
      column => column.tokensPerSecondPerChip,
      number => formatNumber(number),
    ),
    row(
      'Throughput of the system, tokens/s',
      column => column.tokensPerSecondPerChip * column.chips,
      number => formatNumber(number),
    ),
    row(
      'Tokens/s per user',
      column => 1 / column.tpotSeconds,
      number => formatNumber(number),
    ),
    row('Layer', column => column.layerSeconds, formatSeconds),
    row(
      'Memory of the fullest chip',
      column => column.memoryBytes,
      number => formatBytes(number),
    ),
    row(
      'Chips',
      column => column.chips,
      number => formatNumber(number),
      false,
    ),
    row(
      'Sequences per chip',
      column => column.batchPerChip,
      number => formatNumber(number),
      false,
    ),
    row(
      'Context, tokens',
      column => column.kvLength,
      number => formatNumber(number, 6),
      false,
    ),
  ]
}
