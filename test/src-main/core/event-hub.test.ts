import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createEventHub, type CoreEvent } from '#main/core/event-hub.ts'

const started: CoreEvent = { type: 'job:event', payload: { kind: 'started', runId: 1 } }

test('every listener hears an event, also when another fails', () => {
  const lines: string[] = []
  const hub = createEventHub(line => lines.push(line))
  const heard: CoreEvent[] = []
  hub.subscribe(() => {
    throw new Error('gone')
  })
  hub.subscribe(event => heard.push(event))
  hub.emit(started)
  expect(heard).toEqual([started])
  expect(lines).toEqual(['a listener of job:event failed: Error: gone'])
})

test('who has stopped listening hears nothing', () => {
  const hub = createEventHub(() => undefined)
  const heard: CoreEvent[] = []
  const stop = hub.subscribe(event => heard.push(event))
  stop()
  hub.emit(started)
  expect(heard).toEqual([])
})

test('many changes of a moment are told once', async () => {
  const hub = createEventHub(() => undefined)
  const heard: CoreEvent[] = []
  hub.subscribe(event => heard.push(event))
  for (let count = 0; count < 5; count++) hub.historyChanged()
  await setTimeout(100)
  expect(heard).toEqual([{ type: 'history:changed', payload: null }])
  hub.close()
})
