import { describe, expect, test } from 'vitest'
import type { Progress, Simulation } from '#shared/simulate/simulation.ts'
import { driveSimulation } from '#main/jobs/drive-simulation.ts'

function* countTo(total: number): Simulation<string> {
  for (let done = 0; done < total; done++) yield { phase: 'count', done, total }
  return `counted to ${String(total)}`
}

describe('driveSimulation', () => {
  test('returns the result, and reports nothing within the first slice', async () => {
    const reports: Progress[] = []
    const report = (progress: Progress) => reports.push(progress)
    const result = await driveSimulation(countTo(3), report, new AbortController().signal, 60_000)
    expect(result).toBe('counted to 3')
    expect(reports).toEqual([])
  })

  test('reports once for each slice', async () => {
    const reports: Progress[] = []
    const report = (progress: Progress) => reports.push(progress)
    await driveSimulation(countTo(3), report, new AbortController().signal, 0)
    expect(reports).toEqual([
      { phase: 'count', done: 0, total: 3 },
      { phase: 'count', done: 1, total: 3 },
      { phase: 'count', done: 2, total: 3 },
    ])
  })

  test('lets messages in between slices, and stops when one of them aborts', async () => {
    const controller = new AbortController()
    setImmediate(() => {
      controller.abort(new Error('enough'))
    })
    const endless = countTo(Number.POSITIVE_INFINITY)
    const driven = driveSimulation(endless, () => undefined, controller.signal, 0)
    await expect(driven).rejects.toThrow('enough')
  })

  test('does not begin when it is aborted already', async () => {
    let isBegun = false
    const simulation = (function* (): Simulation<null> {
      isBegun = true
      yield { phase: 'begun', done: 0, total: 1 }
      return null
    })()
    const driven = driveSimulation(simulation, () => undefined, AbortSignal.abort(), 0)
    await expect(driven).rejects.toThrow()
    expect(isBegun).toBe(false)
  })

  test('passes on what the simulation throws', async () => {
    const broken = (function* (): Simulation<null> {
      yield { phase: 'begun', done: 0, total: 1 }
      throw new RangeError('not a finite quantity')
    })()
    const driven = driveSimulation(broken, () => undefined, new AbortController().signal)
    await expect(driven).rejects.toThrow(RangeError)
  })
})
