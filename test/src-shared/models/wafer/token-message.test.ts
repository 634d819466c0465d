import { expect, test } from 'vitest'
import { allToAllFloor, tokenBytes } from '#shared/models/wafer/token-message.ts'
import { fromGBps } from '#shared/units/convert.ts'
import { bytes } from '#shared/units/quantity.ts'

test('a token of 7,168 elements has 7,392 bytes in FP8 with scales and 14,336 in BF16', () => {
  expect(tokenBytes(7168, 'fp8')).toBe(7168)
  expect(tokenBytes(7168, 'fp8-scaled')).toBe(7392)
  expect(tokenBytes(7168, 'fp8-scaled', 16)).toBe(7408)
  expect(tokenBytes(7168, 'bf16')).toBe(14_336)
})

test('128 tokens to 8 experts are the published bytes of both directions', () => {
  expect(128 * 8 * tokenBytes(7168, 'fp8-scaled', 16)).toBe(7_585_792)
  expect(128 * 8 * tokenBytes(7168, 'bf16')).toBe(14_680_064)
  // A published run of 64 GPUs moved the former in 173 µs, and says 43 GB/s.
  const dispatch = (128 * 8 * tokenBytes(7168, 'fp8-scaled', 16)) / 173e-6
  expect(dispatch / 1e9).toBeCloseTo(43.85, 2)
})

test('a part of a block of 128 has a scale of its own', () => {
  expect(tokenBytes(129, 'fp8-scaled')).toBe(129 + 8)
})

test('the floor of a token is that of the published derivation, at 50 and 900 GB/s', () => {
  const message = { dispatch: bytes(7000), combine: bytes(14_000) }
  const slow = allToAllFloor(32, 9, message, fromGBps(50))
  expect(slow).toBeCloseTo(120.96e-6, 9)
  expect(slow * 2 * 61).toBeCloseTo(14.757e-3, 6)
  expect(1 / (slow * 2 * 61)).toBeCloseTo(67.8, 1)
  const exact = { dispatch: bytes(7168), combine: bytes(14_336) }
  expect(allToAllFloor(32, 9, exact, fromGBps(50)) * 2 * 61).toBeCloseTo(15.111e-3, 6)
  expect(allToAllFloor(32, 9, message, fromGBps(900))).toBeCloseTo(6.72e-6, 9)
  expect(allToAllFloor(32, 9, message, fromGBps(900)) * 2 * 61).toBeCloseTo(0.82e-3, 5)
})
