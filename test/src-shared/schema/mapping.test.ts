import { describe, expect, test } from 'vitest'
import { mappingSchema } from '#shared/schema/mapping.ts'

describe('mapping', () => {
  test('may leave all to the tiling rule', () => {
    expect(mappingSchema.parse({})).toEqual({})
  })

  test('may fix some of it', () => {
    expect(mappingSchema.parse({ groupX: 8, sliceRows: 64 })).toEqual({ groupX: 8, sliceRows: 64 })
  })

  test.each([
    { groupX: 0 },
    { groupY: 257 },
    { sliceRows: 1.5 },
    { sliceCols: 65_537 },
    { blockRows: Number.POSITIVE_INFINITY },
    { blockCols: '128' },
    { group: 8 },
  ])('%o is refused', mapping => {
    expect(mappingSchema.safeParse(mapping).success).toBe(false)
  })
})
