import type { Chip } from '#shared/hardware/chip.ts'
import { isFlash, type Dataflow } from '#shared/mapping/dataflow.ts'
import type { AttentionKernel } from '#shared/models/attention/attention-kernel.ts'
import { sharingGroups } from '#shared/models/attention/kernel-shape.ts'
import { latentSteps } from '#shared/models/attention/latent-steps.ts'
import { mergeOfPartials } from '#shared/models/attention/merge-partials.ts'
import { segment, type Segment } from '#shared/models/attention/timeline.ts'
import { term } from '#shared/models/explanation-term.ts'
import type { BreakdownComponent } from '#shared/results/attention-result.ts'
import type { ExplanationTerm } from '#shared/results/explanation.ts'

const sources: Readonly<Record<BreakdownComponent, string>> = {
  matrix: 'matrix engine model',
  vector: 'vector engine model',
  hbm: 'HBM model',
  multicast: 'collective model',
  'max-reduction': 'collective model',
  'sum-reduction': 'collective model',
  other: 'chip.control',
}

/** Whole length of the steps of absorbed MLA, hidden or not: of the first chunk, and of a slice. */
export function latentStepTerms(
  dataflow: Dataflow,
  { shape, costs, time }: AttentionKernel,
  chip: Chip,
): Record<BreakdownComponent, ExplanationTerm[]> {
  const concurrent = isFlash(dataflow) ? 1 : sharingGroups(shape)
  const steps = latentSteps(dataflow, shape, concurrent, chip, time.closedRows)
  const [key] = steps.keys
  const [value] = steps.values
  const softmax = dataflow === 'flat-async' ? steps.softmaxOfOneEngine : steps.softmax
  const vector = (cycles: number, name: string) => segment('vector', cycles, name)
  const all: Segment[] = [
    ...steps.loadWholeQuery,
    ...(key?.load ?? []),
    ...(value === undefined
      ? []
      : [...value.load, ...value.reduce, ...value.store, value.rescale, value.divide]),
    vector(softmax.rowMax, 'scale and row maxima'),
    vector(softmax.exp, 'exponentials'),
    vector(softmax.rowSum, 'row sums'),
    ...steps.state('max-reduction', 'the row maxima'),
    ...steps.state('sum-reduction', 'the row sums'),
    ...steps.launch,
    steps.barrier,
    ...mergeOfPartials(dataflow, shape, steps, chip),
  ]
  const of = (component: BreakdownComponent): ExplanationTerm[] => {
    const named = new Map(
      all.filter(part => part.component === component).map(part => [part.name, part.cycles]),
    )
    return [...named].map(([name, cycles], index) =>
      term(`s${String(index + 1)}`, `step: ${name}`, cycles, 'cycles', sources[component]),
    )
  }
  return {
    matrix: [
      term('T_QK', 'all chunks of Q · Kᵀ of a slice', costs.scores, 'cycles', sources.matrix),
      term('T_PV', 'all chunks of P · V of a slice', costs.output, 'cycles', sources.matrix),
    ],
    vector: of('vector'),
    hbm: of('hbm'),
    multicast: of('multicast'),
    'max-reduction': of('max-reduction'),
    'sum-reduction': of('sum-reduction'),
    other: of('other'),
  }
}
