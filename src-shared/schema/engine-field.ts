import { choiceField } from '#shared/schema/quantity-field.ts'

export const engines = ['phase', 'event'] as const

export type Engine = (typeof engines)[number]

/** Which model computes a run; documents from before there was a choice have none. */
export const engineField = choiceField(
  {
    label: 'Engine',
    help: 'phase: sums formulas, at once. event: simulates every tile, link and channel.',
  },
  engines,
).default('phase')
