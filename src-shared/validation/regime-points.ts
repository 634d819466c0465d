import runs from '#resources/published/attention-runs-2026.json' with { type: 'json' }
import decode from '#resources/published/decode-runs-2026.json' with { type: 'json' }
import fig8 from '#resources/published/fig8-dataflows-2025.json' with { type: 'json' }
import fig9 from '#resources/published/fig9-group-scale-2025.json' with { type: 'json' }
import latent from '#resources/published/mla-runs-2026.json' with { type: 'json' }
import type { Dataflow } from '#shared/mapping/dataflow.ts'
import type { ChipConfig } from '#shared/schema/chip.ts'
import { chipQuantities, type Regime } from '#shared/validation/regime-quantities.ts'
import { meshOf, presetChip } from '#shared/validation/published-input.ts'

/** A configuration whose runtime was published or measured, and the set that compares it. */
export interface RegimePoint extends Regime {
  readonly setId: string
}

type Row = readonly (string | number | null)[]
type Cells = (column: string) => string | number | undefined

const cellsOf =
  (columns: readonly string[], row: Row): Cells =>
  column =>
    row[columns.indexOf(column)] ?? undefined

/** Prefill without mask, one query row block of a recorded run or a whole square layer. */
function prefill(
  setId: string,
  chip: ChipConfig,
  shape: Pick<Regime, 'dataflow' | 'dtype' | 'headDim' | 'queryRows' | 'kvLength'>,
): RegimePoint {
  return {
    ...{ setId, variant: 'mha', phase: 'prefill', causal: false, isDeepSeek: true },
    ...shape,
    ...chipQuantities(chip),
  }
}

const square = (setId: string, dataflow: Dataflow, headDim: number, length: number): RegimePoint =>
  prefill(setId, presetChip('flat-2025'), {
    ...{ dataflow, headDim, dtype: 'fp16', queryRows: length, kvLength: length },
  })

/** Every kernel whose runtime the sets of attention compare, both engines alike. */
export const regimePoints = (): RegimePoint[] => [
  ...fig8.rows.map(([dataflow, headDim, length]) =>
    square(
      dataflow === 'flat-sc' ? 'fig8-software-collectives-2025' : 'fig8-dataflows-2025',
      dataflow as Dataflow,
      Number(headDim),
      Number(length),
    ),
  ),
  ...fig9.rows.map(([length = 0]) => square('fig9-group-scale-2025', 'flat-async', 128, length)),
  ...runs.rows.map(row => {
    const cell = cellsOf(runs.columns, row)
    const isSoftware = cell('dataflow') === 'flat-tc'
    const setId = isSoftware ? 'software-collectives-runs-2026' : 'attention-runs-2026'
    return prefill(setId, meshOf(Number(cell('mesh')), Number(cell('channels'))), {
      dataflow: cell('dataflow') as Dataflow,
      dtype: cell('dtype') === 'fp8' ? 'fp8' : 'fp16',
      headDim: Number(cell('headDim')),
      queryRows: Number(cell('queryRows')),
      kvLength: Number(cell('kvLength')),
    })
  }),
  ...decode.rows.map((row): RegimePoint => {
    const cell = cellsOf(decode.columns, row)
    return {
      setId: 'decode-runs-2026',
      ...{ phase: 'decode', dataflow: 'flat-async', dtype: 'fp16' },
      ...{ causal: false, isDeepSeek: true, headDim: 128 },
      variant: cell('variant') === 'gqa' ? 'gqa' : 'mha',
      queryRows: Number(cell('speculativeLength')),
      kvLength: Number(cell('kvLength')),
      ...chipQuantities(meshOf(Number(cell('mesh')), Number(cell('channels')))),
    }
  }),
  ...latent.rows.map((row): RegimePoint => {
    const cell = cellsOf(latent.columns, row)
    const chip = meshOf(Number(cell('mesh')), Number(cell('channels')))
    return {
      setId: 'mla-runs-2026',
      ...{ variant: 'mla', phase: 'decode', dtype: 'fp8' },
      ...{ causal: false, isDeepSeek: true, headDim: 128 },
      dataflow: cell('dataflow') as Dataflow,
      queryRows: Number(cell('speculativeLength')),
      kvLength: Number(cell('kvLength')),
      ...chipQuantities({ ...chip, clockGHz: Number(cell('clockGHz')) }),
    }
  }),
]
