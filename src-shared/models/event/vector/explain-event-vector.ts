import type { Chip } from '#shared/hardware/chip.ts'
import { term } from '#shared/models/explanation-term.ts'
import { explainVector } from '#shared/models/vector/explain-vector.ts'
import type { VectorKernel } from '#shared/models/vector/vector-kernel.ts'
import type { Explanation } from '#shared/results/explanation.ts'

const ENGINE = 'event engine'

/** Times come from the simulation; everything else is counted, or follows by definition. */
const isSimulated = (field: string): boolean =>
  ['cyclesFirstTile', 'cyclesAllTiles'].includes(field) || field.startsWith('breakdown.')

/**
 * How the numbers of a simulated vector kernel came about: the operations of tile 0, or of the tile
 * that was last, with their mean times.
 *
 * @param kernel with the times of the simulation
 * @param phase the same kernel in the phase engine
 */
export const explainEventVector = (
  kernel: VectorKernel,
  phase: VectorKernel,
  rounds: { readonly iterations: number; readonly simulatedIterations: number },
  chip: Chip,
): Explanation[] =>
  explainVector(kernel, chip).map(entry => {
    if (entry.field === 'cycles') {
      return {
        ...entry,
        terms: [
          ...entry.terms,
          term('n', 'tokens of the busiest tile', rounds.iterations, '1', 'mapping'),
          term('n_sim', 'of them simulated', rounds.simulatedIterations, '1', ENGINE),
          term(
            'T_phase',
            'the phase engine says, for comparison',
            phase.result.cycles,
            'cycles',
            'phase model',
          ),
        ],
      }
    }
    if (!isSimulated(entry.field)) return entry
    return {
      ...entry,
      terms: entry.terms.map(one =>
        one.source.startsWith('chip.') ? one : { ...one, source: ENGINE },
      ),
      source:
        'Discrete-event simulation of all tiles, links and channels; vector and scalar steps as in the phase engine',
    }
  })
