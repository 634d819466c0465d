import { expect, test } from 'vitest'
import { chipThroughput } from '#shared/models/decode/chip-throughput.ts'

test('36,000 tokens/s of 8 chips that decode beside 4 others are 3,000 and 4,500', () => {
  expect(chipThroughput(36_000, { all: 12, busy: 8 })).toEqual({
    perChip: 3000,
    perBusyChip: 4500,
  })
})
