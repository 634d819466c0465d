import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { canonicalJson } from '#shared/base/canonical-json.ts'

describe('canonical JSON', () => {
  test('sorts the keys of every object', () => {
    expect(canonicalJson({ b: 1, a: { d: 2, c: 3 } })).toBe('{"a":{"c":3,"d":2},"b":1}')
  })

  test('keeps the order of lists', () => {
    expect(canonicalJson([2, 1, { b: 0, a: 0 }])).toBe('[2,1,{"a":0,"b":0}]')
  })

  test('leaves out members that are undefined', () => {
    expect(canonicalJson({ a: undefined, b: null })).toBe('{"b":null}')
  })

  test.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])(
    'refuses %d, which has no JSON form',
    value => {
      expect(() => canonicalJson({ a: [value] })).toThrow(TypeError)
    },
  )

  test('reads back as the value that it was made from', () => {
    fc.assert(
      fc.property(fc.jsonValue(), value => {
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)))
      }),
    )
  })

  test('does not depend on the order in which keys were added', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), value => {
        const reversed = Object.fromEntries(Object.entries(value).toReversed())
        expect(canonicalJson(reversed)).toBe(canonicalJson(value))
      }),
    )
  })
})
