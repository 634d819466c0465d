import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { createValidationService } from '#main/core/validation-service.ts'
import type { CoreEvent } from '#main/core/event-hub.ts'
import { makeFakeWorker, type FakeWorker } from '#test/support/main-queue.ts'
import { openTestCore } from '#test/support/main-core.ts'
import { launchRealWorker } from '#test/support/main-launch.ts'
import { temporaryDirectory } from '#test/support/main-temporary-directory.ts'

vi.setConfig({ testTimeout: 30_000 })

const validation = { modelVersion: '1', sets: [], passed: true }

function openService(dataDirectory = temporaryDirectory()) {
  const workers: FakeWorker[] = []
  const events: CoreEvent[] = []
  const lines: string[] = []
  const service = createValidationService({
    dataDirectory,
    launchWorker: () => {
      const worker = makeFakeWorker()
      workers.push(worker)
      return worker
    },
    events: { emit: event => events.push(event) },
    now: () => 7,
    log: line => lines.push(line),
  })
  return { service, workers, events, lines, dataDirectory }
}

describe('a comparison', () => {
  test('is told about, kept, and there after a restart', async () => {
    const { service, workers, events, dataDirectory } = openService()
    service.start('event')
    expect(workers[0]?.sent).toEqual([{ kind: 'validate', engine: 'event' }])
    const progress = { phase: 'GEMM', done: 1, total: 4 }
    workers[0]?.say({ kind: 'validating', progress })
    expect(service.get('event').status).toMatchObject({ kind: 'running', progress })
    workers[0]?.say({ kind: 'validated', validation, elapsedMs: 9 })
    expect(workers[0]?.isKilled).toBe(true)
    const kept = { validation, ranAtMs: 7, elapsedMs: 9 }
    expect(service.get('event')).toEqual({ status: { kind: 'idle' }, kept })
    expect(events.map(({ type }) => type)).toEqual(Array(3).fill('validation:changed'))
    await service.close()
    expect(openService(dataDirectory).service.get('event').kept).toEqual(kept)
  })

  test('that is under way is not started twice; the other engine has its own', async () => {
    const { service, workers } = openService()
    service.start('phase')
    service.start('phase')
    service.start('event')
    expect(workers).toHaveLength(2)
    await service.close()
    expect(workers.every(({ isKilled }) => isKilled)).toBe(true)
  })

  test('can be cancelled, and started again', async () => {
    const { service, workers } = openService()
    service.start('event')
    service.cancel('event')
    expect(service.get('event').status).toEqual({ kind: 'idle' })
    await vi.waitFor(() => {
      service.start('event')
      expect(workers).toHaveLength(2)
    })
    await service.close()
  })

  test('whose worker ends early failed, with what it wrote last', () => {
    const { service, workers } = openService()
    service.start('phase')
    workers[0]?.exit({ code: 1, detail: 'out of memory\n' })
    expect(service.get('phase').status).toEqual({
      kind: 'failed',
      message: 'the worker process ended early: out of memory',
    })
  })

  test('that cannot be kept is shown all the same, and the log says why', async () => {
    const { service, workers, lines } = openService('/nowhere/at/all')
    service.start('phase')
    workers[0]?.say({ kind: 'validated', validation, elapsedMs: 9 })
    expect(service.get('phase').kept?.validation).toEqual(validation)
    await service.close()
    expect(lines[0]).toMatch(/^the comparison is not kept: .*\/nowhere/)
  })
})

test('a file that is no comparison is none', () => {
  const { service, dataDirectory } = openService()
  writeFileSync(join(dataDirectory, 'validation-phase.json'), '{"validation":3')
  expect(service.get('phase').kept).toBeNull()
})

test('the real worker compares every set of the phase engine', async () => {
  const { ask } = openTestCore({ launchWorker: launchRealWorker })
  expect(await ask('validation:get', { engine: 'phase' })).toEqual({
    status: { kind: 'idle' },
    kept: null,
  })
  await ask('validation:start', { engine: 'phase' })
  await vi.waitFor(
    async () => {
      const { kept } = await ask('validation:get', { engine: 'phase' })
      expect(kept?.validation.sets.length).toBeGreaterThan(40)
    },
    { timeout: 25_000, interval: 200 },
  )
})
