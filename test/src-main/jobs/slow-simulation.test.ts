import { describe, expect, test } from 'vitest'
import { parseStepDelay, slowSimulation } from '#main/jobs/slow-simulation.ts'
import type { Simulation } from '#shared/simulate/simulation.ts'

function* twoSteps(): Simulation<string> {
  yield { phase: 'first', done: 0, total: 2 }
  yield { phase: 'second', done: 1, total: 2 }
  return 'result'
}

/** Runs a simulation to its end and keeps the phases in the order in which they were told. */
function drain(simulation: Simulation<string>): { phases: string[]; result: string } {
  const phases: string[] = []
  for (;;) {
    const step = simulation.next()
    if (step.done === true) return { phases, result: step.value }
    phases.push(step.value.phase)
  }
}

describe('a slowed simulation', () => {
  test('has the steps and the result of the simulation without a delay', () => {
    expect(drain(slowSimulation(twoSteps(), 0))).toEqual({
      phases: ['first', 'second'],
      result: 'result',
    })
  })

  test('tells a step again and again until the delay is over', () => {
    const startMs = performance.now()
    const { phases, result } = drain(slowSimulation(twoSteps(), 30))
    expect(performance.now() - startMs).toBeGreaterThanOrEqual(60)
    expect(result).toBe('result')
    expect(phases.filter(phase => phase === 'first').length).toBeGreaterThan(1)
    expect(phases.lastIndexOf('first')).toBeLessThan(phases.indexOf('second'))
  })
})

describe('the delay', () => {
  test.each([
    [undefined, 0],
    ['', 0],
    ['250', 250],
    ['60000', 60_000],
  ])('%s is %i ms', (text, expected) => {
    expect(parseStepDelay(text)).toBe(expected)
  })

  test.each(['-1', '1.5', '60001', 'slow', '1e3'])('%s is refused with what is allowed', text => {
    expect(() => parseStepDelay(text)).toThrow(
      `TESSERA_WORKER_STEP_DELAY_MS is "${text}"; it must be a whole number of milliseconds from 0 to 60000`,
    )
  })
})
