import published from '#resources/published/figD-die-area-2025.json' with { type: 'json' }
import { dieArea } from '#shared/models/area/die-area.ts'
import { resolveChip } from '#shared/schema/chip.ts'
import { presetChip } from '#shared/validation/published-input.ts'
import { compared, validationSet, type ValidationSet } from '#shared/validation/validation-set.ts'

/** The die of the chip of 2025 against what its authors estimate. */
export function validateArea(): ValidationSet[] {
  const { totalMm2 } = dieArea(resolveChip(presetChip('flat-2025')))
  const predicted = [totalMm2, published.h100Mm2 / totalMm2]
  return [
    validationSet({
      id: 'figD-die-area-2025',
      title: published.title,
      source: published.source,
      target: { meanAbsoluteError: 0.02, largestError: 0.02 },
      rows: published.rows.map(([name, value], index) =>
        compared(String(name), '1', predicted[index] ?? Number.NaN, Number(value)),
      ),
    }),
  ]
}
