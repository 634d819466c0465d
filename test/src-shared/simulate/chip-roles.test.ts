import fc from 'fast-check'
import { expect, test } from 'vitest'
import { chipRoles } from '#shared/simulate/chip-roles.ts'
import { makeDecodeInput } from '#test/support/make-decode-input.ts'

test('two stages of 32 chips: the upper half and the lower half', () => {
  const roles = chipRoles(makeDecodeInput())
  expect(roles.slice(0, 32)).toEqual(Array(32).fill({ stage: 0, replica: 0 }))
  expect(roles.slice(32)).toEqual(Array(32).fill({ stage: 1, replica: 0 }))
})

test('chips that fill no whole pipeline are idle', () => {
  const roles = chipRoles(makeDecodeInput({ expertParallel: 16, pipelineParallel: 3 }))
  expect(roles.filter(role => role === null)).toHaveLength(16)
})

test('every stage of every pipeline has as many chips as share its experts', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(1, 2, 4, 8, 16, 32, 64),
      fc.integer({ min: 1, max: 61 }),
      (expertParallel, most) => {
        const pipelineParallel = Math.min(most, 64 / expertParallel)
        const roles = chipRoles(makeDecodeInput({ expertParallel, pipelineParallel }))
        const counts = new Map<string, number>()
        for (const role of roles) {
          if (role === null) continue
          const key = `${String(role.stage)}/${String(role.replica)}`
          counts.set(key, (counts.get(key) ?? 0) + 1)
        }
        expect([...counts.values()].every(count => count === expertParallel)).toBe(true)
        expect(counts.size).toBe(
          Math.floor(64 / (expertParallel * pipelineParallel)) * pipelineParallel,
        )
      },
    ),
  )
})
