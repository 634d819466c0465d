import { term } from '#shared/models/explanation-term.ts'
import type { SummaShape } from '#shared/models/summa/summa-shape.ts'
import type { Explanation } from '#shared/results/explanation.ts'
import type { GemmMappingResult } from '#shared/results/gemm-result.ts'

const RULE = 'Tiling rule of the public SUMMA kernel, or an override of mapping'

/** How the grid of a GEMM came about. */
export function explainSummaMapping(shape: SummaShape): Explanation[] {
  const chosen = (field: keyof GemmMappingResult, label: string, value: number, unit: string) => ({
    field: `mapping.${field}`,
    label,
    value,
    unit,
    formula: field,
    terms: [term(field, 'as chosen', value, unit, `mapping.${field}, or the rule`)],
    source: RULE,
  })
  const panels = (symbol: string, name: string, value: number) =>
    term(symbol, name, value, '1', 'counting')
  return [
    chosen('tileM', 'Rows of the block of a tile', shape.tileM, 'rows'),
    chosen('tileN', 'Columns of the block of a tile', shape.tileN, 'columns'),
    chosen('tileK', 'Contraction of one step', shape.tileK, 'elements'),
    chosen('groupX', 'Tiles of a group along n', shape.groupX, 'tiles'),
    chosen('groupY', 'Tiles of a group along m', shape.groupY, 'tiles'),
    chosen('groups', 'Groups', shape.groups, 'groups'),
    {
      field: 'mapping.outputBlocks',
      label: 'Panels of Z of a group',
      value: shape.outputBlocks,
      unit: '1',
      formula: 'panels = rowPanels · columnPanels · products',
      terms: [
        panels('rowPanels', 'panels along m', shape.rowBlocks),
        panels('columnPanels', 'panels of a group along n', shape.columnBlocks),
        panels('products', 'products of a group', shape.productsPerGroup),
      ],
      source: 'Counting',
    },
    {
      field: 'mapping.steps',
      label: 'Steps of a panel',
      value: shape.steps,
      unit: '1',
      formula: 'steps = ⌈share / tileK⌉',
      terms: [
        term(
          'share',
          'contraction of a group',
          shape.split === 'k' ? Math.ceil(shape.workload.k / shape.groups) : shape.workload.k,
          'elements',
          'workload.k, mapping.split',
        ),
        term('tileK', 'contraction of a step', shape.tileK, 'elements', 'result.mapping.tileK'),
      ],
      source: 'Counting',
    },
  ]
}
