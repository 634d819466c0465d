import { expect, test } from 'vitest'
import { assertNever } from '#shared/base/assert-never.ts'

test('a case that slipped through is named in the error', () => {
  const slipped: unknown = 'fa4'
  expect(() => assertNever(slipped as never)).toThrow('unexpected case: "fa4"')
})
