import { expect, test } from 'vitest'
import { remainingCycles } from '#shared/models/event/summa/summa-steady-state.ts'

/** Ends of steps that take 100 cycles each, after 50 cycles of a load. */
const panel = (start: number, steps: number, step = 100): number[] =>
  Array.from({ length: steps }, (_, index) => start + 50 + (index + 1) * step)

test('nothing remains where all was simulated', () => {
  expect(remainingCycles([panel(0, 4), panel(450, 4)], { panels: 2, steps: 4 })).toBe(0)
})

test('steps that are left take as long as the last ones', () => {
  expect(remainingCycles([panel(0, 20)], { panels: 1, steps: 30 })).toBeCloseTo(1000, 9)
})

test('panels that are left take as long as the last one, with the steps that it lacks', () => {
  const times = [panel(0, 20), panel(2050, 20, 120)]
  // The first lacks 10 · 100, the second 10 · 120; a third and fourth take 50 + 30 · 120 each.
  expect(remainingCycles(times, { panels: 4, steps: 30 })).toBeCloseTo(1000 + 1200 + 2 * 3650, 9)
})

test('a panel of a single step stands for those that follow', () => {
  expect(remainingCycles([[100], [250]], { panels: 5, steps: 1 })).toBeCloseTo(3 * 150, 9)
})
