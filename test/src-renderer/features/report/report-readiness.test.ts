import { describe, expect, test } from 'vitest'
import {
  markFailed,
  markPending,
  markReadyAfter,
  twoFrames,
} from '#renderer/features/report/report-readiness.ts'

test('nothing is ready before charts, fonts and layout are', async () => {
  const marks: DOMStringMap = {}
  const done: string[] = []
  const step = (name: string) => {
    let finish = (): void => undefined
    const promise = new Promise<void>(resolve => {
      finish = () => {
        done.push(name)
        resolve()
      }
    })
    return { promise, finish }
  }
  const [charts, fonts, layout] = [step('charts'), step('fonts'), step('layout')]
  const ready = markReadyAfter(
    marks,
    charts.promise,
    fonts.promise,
    () => layout.promise,
    new AbortController().signal,
  )
  charts.finish()
  await Promise.resolve()
  expect(marks.reportReady).toBeUndefined()
  fonts.finish()
  await Promise.resolve()
  expect(marks.reportReady).toBeUndefined()
  layout.finish()
  await ready
  expect(marks.reportReady).toBe('true')
})

test('a report that was given up stays silent', async () => {
  const marks: DOMStringMap = {}
  const done = Promise.resolve()
  await markReadyAfter(marks, done, done, () => done, AbortSignal.abort())
  expect(marks).toEqual({})
})

describe('marks', () => {
  test('a failure has a message', () => {
    const marks: DOMStringMap = {}
    markFailed(marks, 'no experiment 4')
    expect(marks).toEqual({ reportReady: 'failed', reportMessage: 'no experiment 4' })
  })

  test('an earlier report is forgotten', () => {
    const marks: DOMStringMap = { reportReady: 'true', other: 'kept' }
    markPending(marks)
    expect(marks).toEqual({ other: 'kept' })
  })
})

test('layout settles in a page without frames too', async () => {
  await expect(twoFrames()).resolves.toBeUndefined()
})
