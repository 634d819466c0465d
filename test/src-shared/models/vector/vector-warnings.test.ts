import { describe, expect, test } from 'vitest'
import { estimateVector } from '#shared/simulate/run-vector.ts'
import { makeChipConfig, makeHbm } from '#test/support/make-chip.ts'
import { makeVectorInput } from '#test/support/make-vector-input.ts'

const warnings = (changes: Parameters<typeof makeVectorInput>[0]) =>
  estimateVector(makeVectorInput(changes)).warnings

describe('warnings', () => {
  test('there are none for a kernel that fills the chip and was measured', () => {
    expect(warnings({ workload: { kernel: 'add', tokens: 1024 } })).toEqual([])
  })

  test.each<[string, Parameters<typeof makeVectorInput>[0], RegExp]>([
    ['idle-tiles', {}, /^512 of 1024 tiles have no token$/],
    ['reference-artefact', { timing: 'first-tile' }, /tile 0 is through, .* leaves out the last/],
    ['reference-artefact', { workload: { kernel: 'top-k' } }, /all scores are equal/],
    ['outside-validated-regime', { workload: { kernel: 'combine' } }, /covers the kernel combine;/],
    [
      'outside-validated-regime',
      { workload: { kernel: 'top-k', topK: 4 } },
      /covers a choice of 4 of 256;/,
    ],
    ['outside-validated-regime', { workload: { dtype: 'fp16' } }, /covers fp16, rows of 14336 B;/],
    [
      'outside-validated-regime',
      { chip: makeChipConfig({ hbm: makeHbm({ west: 32 }) }) },
      /memory that is not on the south edge/,
    ],
    [
      'memory-capacity',
      {
        chip: makeChipConfig({ hbm: makeHbm({ south: 32 }, { capacityGiB: 0.1 }) }),
        workload: { tokens: 16_384 },
      },
      /^the operands take 224 MiB, more than the 102\.4 MiB of HBM$/,
    ],
  ])('%s, case %#', (code, changes, message) => {
    const messages = warnings(changes)
      .filter(warning => warning.code === code)
      .map(warning => warning.message)
    expect(messages.join('\n')).toMatch(message)
  })

  test('random data are not called an artefact', () => {
    const codes = warnings({ workload: { kernel: 'top-k', data: 'random' } }).map(
      ({ code }) => code,
    )
    expect(codes).toEqual(['idle-tiles'])
  })
})
