import { describe, expect, test } from 'vitest'
import { ApiError } from '#shared/ipc/api-error.ts'
import { channels } from '#shared/ipc/channels.ts'
import { InfeasibleError } from '#shared/simulate/simulation.ts'
import { createDispatch, type Handlers } from '#main/ipc/dispatch.ts'
import { HistoryError } from '#main/storage/history-error.ts'
import { StorageError } from '#main/storage/storage-error.ts'
import { makeInput, makeSpec } from '#test/support/main-inputs.ts'

/** A dispatch whose every handler does the same. */
function dispatchTo(handler: (input: unknown) => unknown) {
  const lines: string[] = []
  const handlers = Object.fromEntries(channels.map(channel => [channel, handler]))
  const dispatch = createDispatch(handlers as unknown as Handlers, line => lines.push(line))
  return { dispatch, lines }
}

const echo = dispatchTo(input => input).dispatch
const input = makeInput()
const { chip, workload } = input

test('a good request is answered with what the handler returns', async () => {
  expect(await echo('experiment:get', { id: 3 })).toEqual({ ok: true, value: { id: 3 } })
})

test('a handler gets the parsed input: names are trimmed', async () => {
  expect(await echo('experiment:rename', { id: 3, name: '  A  ' })).toEqual({
    ok: true,
    value: { id: 3, name: 'A' },
  })
})

test('a handler may take its time', async () => {
  const { dispatch } = dispatchTo(async () => Promise.resolve('late'))
  expect(await dispatch('app:info', null)).toEqual({ ok: true, value: 'late' })
})

test('a missing input counts as none', async () => {
  expect(await echo('app:info', undefined)).toEqual({ ok: true, value: null })
})

describe('what is not in the contract is refused', () => {
  test.each(['app:destroy', '__proto__', 'toString', ''])('channel %j', async channel => {
    const reply = await echo(channel, null)
    expect(reply).toMatchObject({ ok: false, code: 'bad-input' })
    expect(JSON.stringify(reply)).toContain('channel: must be one of app:info, attention:estimate')
  })

  test.each<[string, string, unknown, string]>([
    ['no object', 'experiment:get', 7, 'input: must be an object, got 7'],
    ['a missing field', 'experiment:get', {}, 'id: is missing; must be a finite number'],
    ['a wrong type', 'experiment:get', { id: '7' }, 'id: must be a finite number, got "7"'],
    ['a fraction', 'experiment:get', { id: 1.5 }, 'id: must be a whole number, got 1.5'],
    ['zero', 'experiment:get', { id: 0 }, 'id: must be above 0, got 0'],
    ['NaN', 'experiment:get', { id: NaN }, 'id: must be a finite number, got NaN'],
    [
      'an unknown key',
      'experiment:get',
      { id: 1, force: true },
      'input: unknown key "force"; known are id',
    ],
    [
      'an empty list',
      'experiment:trash',
      { ids: [] },
      'ids: must have at least 1 entry, got an empty list',
    ],
    [
      'a bad entry of a list',
      'experiment:trash',
      { ids: [1, 'x'] },
      'ids[1]: must be a finite number, got "x"',
    ],
    [
      'a huge number',
      'attention:estimate',
      { ...input, chip: { ...chip, clockGHz: 1e308 } },
      'chip.clockGHz: must be at most 10, got 1e+308',
    ],
    [
      'a 65536x65536 mesh',
      'attention:estimate',
      { ...input, chip: { ...chip, tiles: { x: 65_536, y: 65_536 } } },
      'chip.tiles.x: must be at most 256, got 65536\nchip.tiles.y: must be at most 256, got 65536',
    ],
    [
      'an unknown key deep inside',
      'attention:estimate',
      { ...input, chip: { ...chip, tiles: { ...chip.tiles, z: 1 } } },
      'chip.tiles: unknown key "z"; known are x, y',
    ],
    [
      'heads that do not divide',
      'attention:estimate',
      { ...input, workload: { ...workload, variant: 'gqa', heads: 12, kvHeads: 8 } },
      'workload.kvHeads: must divide heads: 12 heads cannot be shared out over 8 KV heads; ' +
        'allowed are 1, 2, 3, 4, 6, 12',
    ],
    [
      'an unknown dataflow of an experiment',
      'experiment:start',
      { spec: { ...makeSpec(), dataflows: ['flat'] }, again: false },
      'spec.dataflows[0]: must be one of fa2, fa3, flat-sc, flat-tc, flat-hc, flat-async, flash-mla, flash-mla-fair, auto, got "flat"',
    ],
  ])('%s', async (_, channel, raw, message) => {
    expect(await echo(channel, raw)).toEqual({ ok: false, code: 'bad-input', message })
  })

  test('a polluted prototype does not come through', async () => {
    const raw: unknown = JSON.parse('{"id": 1, "__proto__": {"polluted": true}}')
    expect(await echo('experiment:get', raw)).toMatchObject({ ok: false, code: 'bad-input' })
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
  })
})

describe('an error of a handler', () => {
  test.each<[Error, string]>([
    [new ApiError('no-chromium', 'install it'), 'no-chromium'],
    [new HistoryError('not-found', 'there is no experiment 4'), 'not-found'],
    [new InfeasibleError('needs 512 KiB'), 'infeasible'],
    [new StorageError('full', 'the disk is full'), 'storage'],
  ])('%s crosses with its code', async (error, code) => {
    const { dispatch } = dispatchTo(() => {
      throw error
    })
    expect(await dispatch('app:info', null)).toEqual({ ok: false, code, message: error.message })
  })

  test('that nobody expected is logged, and hidden from the page', async () => {
    const { dispatch, lines } = dispatchTo(() => Promise.reject(new TypeError('secret')))
    const reply = await dispatch('app:info', null)
    expect(reply).toMatchObject({ ok: false, code: 'internal' })
    expect(JSON.stringify(reply)).not.toContain('secret')
    expect(lines.join('\n')).toMatch(/^app:info: TypeError: secret/)
  })
})

test('an input that cannot even be looked at is an error, not the end of the host', async () => {
  const { dispatch, lines } = dispatchTo(() => 'never')
  const input = {
    get id(): number {
      throw new RangeError('out of reach')
    },
  }
  expect(await dispatch('experiment:get', input)).toMatchObject({ ok: false, code: 'internal' })
  expect(lines.join()).toMatch(/^experiment:get: RangeError: out of reach/)
})

describe('a history that another process has locked', () => {
  const locked = () => new StorageError('locked', 'The history is locked by another program.')

  test('is tried again, and nobody hears of it', async () => {
    let calls = 0
    const { dispatch, lines } = dispatchTo(() => {
      calls += 1
      if (calls < 3) throw locked()
      return 'stored'
    })
    expect(await dispatch('app:info', null)).toEqual({ ok: true, value: 'stored' })
    expect(calls).toBe(3)
    expect(lines).toEqual([])
  })

  test('is given up after a while', async () => {
    let calls = 0
    const { dispatch } = dispatchTo(() => {
      calls += 1
      throw locked()
    })
    expect(await dispatch('app:info', null)).toMatchObject({ ok: false, code: 'storage' })
    expect(calls).toBe(4)
  })

  test('no other problem is tried again', async () => {
    let calls = 0
    const { dispatch } = dispatchTo(() => {
      calls += 1
      throw new StorageError('full', 'The disk is full.')
    })
    expect(await dispatch('app:info', null)).toMatchObject({ ok: false, code: 'storage' })
    expect(calls).toBe(1)
  })
})
