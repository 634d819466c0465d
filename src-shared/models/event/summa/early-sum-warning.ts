import type { Chip } from '#shared/hardware/chip.ts'
import type { SummaShape } from '#shared/models/summa/summa-shape.ts'
import type { ResultWarning } from '#shared/results/warning.ts'

/** That a GEMM sums as the public kernel does, where its groups have something to sum. */
export function earlySumWarnings(
  { split, activeGroups }: SummaShape,
  { artefacts }: Pick<Chip, 'artefacts'>,
): ResultWarning[] {
  if (!artefacts.sumBeforeProducts || split !== 'k' || activeGroups <= 1) return []
  return [
    {
      code: 'reference-artefact',
      message: 'sumBeforeProducts: the sum over the groups does not wait for their products',
    },
  ]
}
