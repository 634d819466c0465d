import { describe, expect, test } from 'vitest'
import { MODEL_VERSION } from '#shared/model-version.ts'
import { gemmInputSchema } from '#shared/schema/gemm-input.ts'
import { estimateGemm, runGemm } from '#shared/simulate/run-gemm.ts'
import { evaluateFormula } from '#test/support/evaluate-formula.ts'
import { makeChipConfig } from '#test/support/make-chip.ts'
import { makeGemmInput } from '#test/support/make-gemm-input.ts'

const workload = { m: 512, n: 2048, k: 7168, dtype: 'fp8' } as const
const input = { ...makeGemmInput({ workload }), engine: 'event' as const }
const document = estimateGemm(input)

describe('a GEMM on the event engine', () => {
  test('has what every document has, and what the engine saw', () => {
    expect(document).toMatchObject({ schemaVersion: 1, modelVersion: MODEL_VERSION, input })
    expect(document.event).toMatchObject({ iterations: 4, simulatedIterations: 4 })
    expect(document.event?.tiles.matrix).toHaveLength(1024)
    expect(Math.max(...(document.event?.tiles.matrix ?? []))).toBeLessThan(1)
  })

  test('counts as the phase engine does, and differs in time', () => {
    const { result } = document
    const phase = estimateGemm({ ...input, engine: 'phase' }).result
    expect(result).toMatchObject({
      mapping: phase.mapping,
      usefulFlops: phase.usefulFlops,
      executedFlops: phase.executedFlops,
      hbmReadBytes: phase.hbmReadBytes,
      hbmWriteBytes: phase.hbmWriteBytes,
      l1PeakBytes: phase.l1PeakBytes,
    })
    expect(result.cycles).not.toBe(phase.cycles)
    expect(Math.abs(result.cycles / phase.cycles - 1)).toBeLessThan(0.1)
  })

  test('has a breakdown that adds up to its runtime', () => {
    const { breakdown, seconds } = document.result
    expect(breakdown.reduce((sum, part) => sum + part.seconds, 0)).toBeCloseTo(seconds, 12)
    expect(Math.min(...breakdown.map(part => part.seconds))).toBeGreaterThanOrEqual(0)
  })

  test('explains every number once, by formulas that give its value', () => {
    const { explanation, result } = document
    const fields = explanation.map(({ field }) => field)
    expect(new Set(fields).size).toBe(fields.length)
    const phase = estimateGemm({ ...input, engine: 'phase' })
    expect(fields.toSorted()).toEqual(phase.explanation.map(({ field }) => field).toSorted())
    for (const entry of explanation) {
      const value = evaluateFormula(entry).at(-1)?.value ?? entry.value
      expect(Math.abs(value - entry.value)).toBeLessThanOrEqual(1e-9 * entry.value)
    }
    const valueOf = (name: string) => explanation.find(({ field }) => field === name)?.value
    expect(valueOf('seconds')).toBe(result.seconds)
    expect(valueOf('matrixUtilization')).toBe(result.matrixUtilization)
  })

  test('says how far it is, and can be dropped between', () => {
    const simulation = runGemm(input)
    const phases: string[] = []
    let done = -1
    for (let step = simulation.next(); step.done !== true; step = simulation.next()) {
      if (phases.at(-1) !== step.value.phase) done = -1
      expect(step.value.done).toBeGreaterThanOrEqual(done)
      ;({ done } = step.value)
      phases.push(step.value.phase)
    }
    expect(phases.filter(phase => phase === 'events').length).toBeGreaterThan(3)
  })

  test('warns where a long kernel was simulated in part', () => {
    const chip = makeChipConfig({ tiles: { x: 8, y: 8 } })
    const long = {
      ...makeGemmInput({ chip, workload: { m: 8192, n: 8192, k: 8192 } }),
      engine: input.engine,
    }
    const { warnings, event, result } = estimateGemm(long)
    expect(event?.simulatedIterations).toBeLessThan(event?.iterations ?? 0)
    expect(warnings.find(({ code }) => code === 'extrapolated')?.message).toMatch(
      /of 4096 steps of a group were simulated/,
    )
    const phase = estimateGemm({ ...long, engine: 'phase' }).result
    expect(Math.abs(result.cycles / phase.cycles - 1)).toBeLessThan(0.08)
  })
})

test('an input from before there was a choice is one of the phase engine', () => {
  const { engine, ...old } = makeGemmInput()
  expect(engine).toBe('phase')
  expect(gemmInputSchema.parse(old).engine).toBe('phase')
  expect(gemmInputSchema.safeParse({ ...old, engine: 'exact' }).success).toBe(false)
})
