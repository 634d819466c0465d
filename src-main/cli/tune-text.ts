import { slowdownText } from '#main/cli/selection-text.ts'
import { indented, textTable } from '#main/cli/text-table.ts'
import { warningsSection } from '#main/cli/warnings-text.ts'
import { workloadText } from '#main/cli/workload-text.ts'
import type { MappingResult } from '#shared/results/attention-result.ts'
import { boundLabels } from '#shared/results/attention-result.ts'
import type {
  DataflowTuning,
  TimedMapping,
  TuneDocument,
  TuneResult,
} from '#shared/schema/tune-document.ts'
import {
  formatBytes,
  formatCount,
  formatCycles,
  formatNumber,
  formatPercent,
  formatSeconds,
} from '#shared/units/format.ts'

/** What a search found, for people: the best, the rule beside it, and the rest with reasons. */
export function tuneText({ input, result, warnings }: TuneDocument): string {
  const { best, ranked, unfit } = result
  const sections = [
    `Search for the fastest mapping on ${input.chip.name}\n${workloadText(input.workload)}`,
    bestTable(result),
    `To run it\n${indented(`--dataflow ${best.dataflow} ${mappingOptions(best.mapping)}`)}`,
    `By dataflow\n${indented(dataflowTable(result.dataflows))}`,
    `Tried\n${indented(countTable(result))}`,
  ]
  if (ranked.length > 0) sections.push(`Next best\n${indented(rankedTable(result))}`)
  if (unfit.length > 0) sections.push(`Cannot run\n${indented(unfitTable(result))}`)
  return [...sections, ...warningsSection(warnings)].join('\n\n')
}

const by = (x: number, y: number) => `${String(x)} x ${String(y)}`

/** The options of `tessera attention` that ask for this very mapping. */
const mappingOptions = ({ groupX, groupY, sliceRows, sliceCols }: MappingResult): string =>
  `--group ${String(groupX)}x${String(groupY)} ` +
  `--set mapping.sliceRows=${String(sliceRows)} --set mapping.sliceCols=${String(sliceCols)}`

function bestTable({ best }: TuneResult): string {
  const { mapping } = best
  return textTable([
    ['Best dataflow', best.dataflow],
    [
      'Group',
      `${by(mapping.groupX, mapping.groupY)} tiles`,
      formatCount(mapping.groups, mapping.groups === 1 ? 'group' : 'groups'),
    ],
    ['Slice of a tile', `${by(mapping.sliceRows, mapping.sliceCols)} rows x columns`],
    ['Runtime', formatSeconds(best.seconds), formatCycles(best.cycles)],
    ['Matrix utilisation', formatPercent(best.matrixUtilization)],
    ['HBM bandwidth', formatPercent(best.hbmBandwidthUtilization)],
    ['L1 peak', formatBytes(best.l1PeakBytes)],
    ['Bound by', boundLabels[best.bound]],
  ])
}

function dataflowTable(tunings: readonly DataflowTuning[]): string {
  const cells = (found: TimedMapping | null) =>
    found === null
      ? ['cannot run', '', '']
      : [
          by(found.mapping.groupX, found.mapping.groupY),
          by(found.mapping.sliceRows, found.mapping.sliceCols),
          formatSeconds(found.seconds),
        ]
  return textTable([
    ['DATAFLOW', 'RULE: GROUP', 'SLICE', 'RUNTIME', 'SEARCH: GROUP', 'SLICE', 'RUNTIME', ''],
    ...tunings.map(({ dataflow, rule, tuned, gain }) => [
      dataflow,
      ...cells(rule),
      ...cells(tuned),
      gain === null ? '' : `rule ${slowdownText(gain)}`,
    ]),
  ])
}

function countTable({ searched, rejected }: TuneResult): string {
  const rows: readonly (readonly [number, string])[] = [
    [searched, 'mappings in all'],
    [rejected.tie, 'as fast as the best'],
    [rejected.slower, 'slower'],
    [rejected['idle-tiles'], 'slower, with more tiles idle than the best'],
    [rejected.l1, 'do not fit in L1'],
    [rejected.refused, 'contradict what was asked for'],
  ]
  return textTable(
    rows.filter(([count]) => count > 0).map(([count, text]) => [formatNumber(count, 9), text]),
    ['right'],
  )
}

function rankedTable({ ranked }: TuneResult): string {
  return textTable(
    [
      ['', 'DATAFLOW', 'GROUP', 'SLICE', 'RUNTIME', 'MATRIX', 'L1', 'REJECTED BECAUSE'],
      ...ranked.map(({ rank, dataflow, mapping, seconds, ...candidate }) => [
        String(rank),
        dataflow,
        by(mapping.groupX, mapping.groupY),
        by(mapping.sliceRows, mapping.sliceCols),
        formatSeconds(seconds),
        formatPercent(candidate.matrixUtilization),
        formatBytes(candidate.l1PeakBytes),
        candidate.reason.message,
      ]),
    ],
    ['right', 'left', 'left', 'left', 'right', 'right', 'right'],
  )
}

/** Slices with the dataflows that they do not fit: L1 does not depend on the group. */
function unfitTable({ unfit }: TuneResult): string {
  const rows = new Map<string, { readonly cells: string[]; readonly ids: Set<string> }>()
  for (const { dataflow, sliceRows, sliceCols, reason } of unfit) {
    const cells = [by(sliceRows, sliceCols), reason.message]
    const key = cells.join('|')
    const row = rows.get(key) ?? { cells, ids: new Set() }
    row.ids.add(dataflow)
    rows.set(key, row)
  }
  return textTable(
    [...rows.values()].map(({ cells: [slice = '', message = ''], ids }) => [
      `slice ${slice}`,
      [...ids].join(', '),
      message,
    ]),
  )
}
