import type { Chip } from '#shared/hardware/chip.ts'
import { isFlash, type Dataflow } from '#shared/mapping/dataflow.ts'
import type { AttentionKernel } from '#shared/models/attention/attention-kernel.ts'
import { term } from '#shared/models/explanation-term.ts'
import { preferredSlice } from '#shared/models/attention/preferred-slice.ts'
import type { Explanation, ExplanationTerm } from '#shared/results/explanation.ts'
import { headJobs, queryRows } from '#shared/workload/attention.ts'

const RULE = 'Tiling rule of arXiv 2604.02110, Section V-B; mapping overrides come first'

/** Who computes what, and why: the tiling rule in words, and what follows from it in formulas. */
export function explainMapping(
  dataflow: Dataflow,
  kernel: AttentionKernel,
  chip: Chip,
): Explanation[] {
  return [...explainChoice(dataflow, kernel, chip), ...explainConsequences(dataflow, kernel, chip)]
}

function explainChoice(
  dataflow: Dataflow,
  { result, shape }: AttentionKernel,
  chip: Chip,
): Explanation[] {
  const { mapping } = result
  const { workload } = shape
  const rule = term(
    'rule',
    'slice with 95 % matrix utilisation that fits in L1',
    preferredSlice(workload, dataflow, chip, isFlash(dataflow) ? 1 : shape.groupX),
    'rows',
    'chip.matrixEngine, chip.l1.capacityKiB',
  )
  const rows = term('q', 'query rows of a job', queryRows(workload), 'rows', 'workload')
  const columns = term('kv', 'KV length', workload.kvLength, 'columns', 'workload.kvLength')
  const words = choiceWords(dataflow)
  const choice = (
    field: 'groupX' | 'groupY' | 'sliceRows' | 'sliceCols',
    label: string,
    unit: string,
    formula: string,
    terms: readonly ExplanationTerm[],
  ): Explanation => ({
    field: `mapping.${field}`,
    label,
    value: mapping[field],
    unit,
    formula,
    terms,
    source: RULE,
  })
  return [
    choice('groupX', 'Group columns', 'tiles', words.group, [
      columns,
      rule,
      term('X', 'columns of the mesh', chip.tiles.x, 'tiles', 'chip.tiles.x'),
    ]),
    choice('groupY', 'Group rows', 'tiles', words.group, [
      rows,
      rule,
      term('Y', 'rows of the mesh', chip.tiles.y, 'tiles', 'chip.tiles.y'),
    ]),
    choice('sliceRows', 'Query rows of a slice', 'rows', words.slice, [rows, rule]),
    choice('sliceCols', 'KV columns of a slice', 'columns', words.slice, [columns, rule]),
  ]
}

function choiceWords(dataflow: Dataflow): { readonly group: string; readonly slice: string } {
  if (dataflow === 'flash-mla-fair') {
    const fastest = 'the fastest by predicted runtime'
    return {
      group: `tiles that split KV and merge their results: ${fastest} of 1, 2, 4, …`,
      slice: `the rule, or a half, a quarter, … of it: ${fastest}`,
    }
  }
  return isFlash(dataflow)
    ? { group: 'one tile: FlashAttention shares nothing', slice: 'the rule, or what a tile has' }
    : {
        group: 'the slices that the length needs, a power of two, at most the mesh',
        slice: 'the rule, or less where the length over the tiles of the group is less',
      }
}

function explainConsequences(
  dataflow: Dataflow,
  { result, shape }: AttentionKernel,
  chip: Chip,
): Explanation[] {
  const { mapping } = result
  const gx = term('Gx', 'group columns', mapping.groupX, 'tiles', 'result.mapping.groupX')
  const gy = term('Gy', 'group rows', mapping.groupY, 'tiles', 'result.mapping.groupY')
  const br = term(
    'Br',
    'query rows of a slice',
    mapping.sliceRows,
    'rows',
    'result.mapping.sliceRows',
  )
  const bc = term(
    'Bc',
    'KV columns of a slice',
    mapping.sliceCols,
    'columns',
    'result.mapping.sliceCols',
  )
  const q = term('q', 'query rows of a job', queryRows(shape.workload), 'rows', 'workload')
  const kv = term('kv', 'KV length', shape.workload.kvLength, 'columns', 'workload.kvLength')
  const groups = term('groups', 'groups on the chip', mapping.groups, '1', 'result.mapping.groups')
  const jobs = term('jobs', 'head jobs', headJobs(shape.workload), '1', 'batch · KV heads')
  const consequence = (
    field: 'groups' | 'blockRows' | 'blockCols' | 'outerIterations' | 'innerIterations',
    label: string,
    unit: string,
    formula: string,
    terms: readonly ExplanationTerm[],
  ): Explanation => ({
    field: `mapping.${field}`,
    label,
    value: mapping[field],
    unit,
    formula,
    terms,
    source: 'Follows from the group and the slice',
  })
  return [
    consequence('groups', 'Groups', '1', 'groups = ⌊X / Gx⌋ · ⌊Y / Gy⌋', [
      term('X', 'columns of the mesh', chip.tiles.x, 'tiles', 'chip.tiles.x'),
      term('Y', 'rows of the mesh', chip.tiles.y, 'tiles', 'chip.tiles.y'),
      gx,
      gy,
    ]),
    consequence('blockRows', 'Query rows of a block', 'rows', 'rows = Gy · Br', [gy, br]),
    consequence('blockCols', 'KV columns of a block', 'columns', 'columns = Gx · Bc', [gx, bc]),
    isFlash(dataflow) && dataflow !== 'flash-mla'
      ? consequence(
          'outerIterations',
          'Row blocks of a job on one tile',
          '1',
          'n = ⌈⌈q / Br⌉ / min(⌈q / Br⌉, max(1, ⌊groups / jobs⌋))⌉',
          [q, br, groups, jobs],
        )
      : consequence('outerIterations', 'Row blocks of a job', '1', 'n = ⌈q / (Gy · Br)⌉', [
          q,
          gy,
          br,
        ]),
    consequence(
      'innerIterations',
      'Column blocks of a row block',
      '1',
      'n = ⌈kv / (Gx · Bc)⌉; a mask skips some of them',
      [kv, gx, bc],
    ),
  ]
}
