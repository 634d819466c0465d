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

/** What each engine is called and does, for a person who chooses. */
export const engineDescriptions: Readonly<
  Record<Engine, { readonly label: string; readonly summary: string }>
> = {
  phase: { label: 'Phases', summary: 'Sums formulas for each phase; at once.' },
  event: {
    label: 'Events',
    summary:
      'Simulates every tile, link and channel: seconds in the queue, then a mesh and a timeline.',
  },
}
