import { describe, expect, test } from 'vitest'
import { modelPresets } from '#shared/presets/model-presets.ts'
import type { DecodeInput } from '#shared/schema/decode-input.ts'
import { decodeCache, runDecode } from '#shared/simulate/run-decode.ts'
import { finish, type Progress } from '#shared/simulate/simulation.ts'
import { makeDecodeInput } from '#test/support/make-decode-input.ts'

/** A small model on chips of 8 x 8 tiles: a second or two. */
function smallInput(engine: DecodeInput['engine']): DecodeInput {
  const model = modelPresets.find(({ id }) => id === 'deepseek-v3-16b')?.config
  if (model === undefined) throw new Error('a preset is missing')
  const input = makeDecodeInput({
    ...{ batchPerChip: 4, kvLength: 256, expertParallel: 4, pipelineParallel: 1 },
    ...{ speculativeLength: 1, ignoreCapacity: true },
  })
  const { chip } = input.system
  const hbm = { ...chip.hbm, channels: { west: 0, north: 0, east: 0, south: 8 } }
  const small = { ...chip, tiles: { x: 8, y: 8 }, hbm }
  return {
    ...input,
    engine,
    model,
    system: { ...input.system, chip: small },
  }
}

describe('a deployment with the event engine', () => {
  const cache = decodeCache()
  const steps: Progress[] = []
  const simulation = runDecode(smallInput('event'), cache)
  let step = simulation.next()
  for (; step.done !== true; step = simulation.next()) steps.push(step.value)
  const event = step.value
  const phase = finish(runDecode(smallInput('phase')))

  test('has the same kernels, FLOPs and bytes, in times of its own that are near', () => {
    const shared = ({
      name,
      stage,
      count,
      flops,
      hbmBytes,
    }: (typeof event.result.kernels)[number]) => ({ name, stage, count, flops, hbmBytes })
    expect(event.result.kernels.map(shared)).toEqual(phase.result.kernels.map(shared))
    expect(event.result.layerSeconds).not.toBe(phase.result.layerSeconds)
    expect(event.result.layerSeconds / phase.result.layerSeconds).toBeGreaterThan(0.7)
    expect(event.result.layerSeconds / phase.result.layerSeconds).toBeLessThan(1.3)
  })

  test('simulates each shape once, and names the kernel that it is at', () => {
    const gemms = phase.result.kernels.filter(({ flops }) => flops > 0).length
    expect(cache.simulated.size).toBeLessThan(phase.result.kernels.length)
    expect(gemms).toBeGreaterThan(0)
    const events = steps.filter(({ phase: name }) => name.startsWith('events of '))
    expect(events.map(({ phase: name }) => name)).toContain('events of attention')
    const shares = events.map(({ done, total }) => done / total)
    expect(shares).toEqual(shares.toSorted((a, b) => a - b))
    expect(Math.max(...shares)).toBeLessThanOrEqual(1)
  })

  test('runs nothing again that the cache has', () => {
    const again = [...cache.simulated.keys()]
    const document = finish(runDecode(smallInput('event'), cache))
    expect(document).toEqual(event)
    expect([...cache.simulated.keys()]).toEqual(again)
  })
})

test('can be dropped in the middle of a kernel', () => {
  const cache = decodeCache()
  const simulation = runDecode(smallInput('event'), cache)
  while (!(simulation.next().value as Progress).phase.startsWith('events of ')) continue
  simulation.return(undefined as never)
  expect(simulation.next().done).toBe(true)
  expect(cache.simulated.size).toBeLessThan(3)
})
