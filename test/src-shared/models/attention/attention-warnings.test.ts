import { describe, expect, test } from 'vitest'
import type { AttentionInput } from '#shared/schema/attention-input.ts'
import { estimateAttention } from '#shared/simulate/run-attention.ts'
import { makeAttentionInput } from '#test/support/make-attention-input.ts'
import { makeChipConfig, makeHbm, makeNewDesign } from '#test/support/make-chip.ts'
import { makeWorkload } from '#test/support/make-workload.ts'

type Changes = Partial<Omit<AttentionInput, 'kind' | 'engine'>>

const messages = (changes: Changes) =>
  Object.fromEntries(
    estimateAttention(makeAttentionInput(changes)).warnings.map(({ code, message }) => [
      code,
      message,
    ]),
  )

const layer = makeWorkload({ batch: 2, heads: 32, kvHeads: 32 })

test('a kernel of a validated kind on a new design has no warnings', () => {
  expect(messages({ chip: makeNewDesign(), workload: layer })).toEqual({})
})

describe('a warning says', () => {
  test('how much padding adds', () => {
    const workload = makeWorkload({ queryLength: 4096, kvLength: 100 })
    const mapping = { groupX: 1, groupY: 32, sliceCols: 128 }
    expect(messages({ workload, mapping })['padded-shape']).toBe(
      '28.0 % more FLOPs are executed than the result needs: padding of ragged blocks',
    )
  })

  test('how much the masked half of the diagonal adds', () => {
    const workload = makeWorkload({ causal: true })
    expect(messages({ chip: makeNewDesign(), workload })['padded-shape']).toContain(
      'padding of ragged blocks and the masked part of the blocks on the diagonal',
    )
  })

  test('how many tiles are idle', () => {
    const mapping = { groupX: 16, groupY: 16 }
    expect(messages({ mapping })['idle-tiles']).toBe(
      '768 of 1024 tiles have no work: 1 active groups of 16 × 16',
    )
  })

  test('that slices are far below the preferred ones', () => {
    const workload = { ...layer, queryLength: 512, kvLength: 512 }
    const mapping = { groupX: 32, groupY: 32 }
    expect(messages({ workload, mapping })['over-flattened']).toBe(
      'slices of 16 × 16 are far below 128 × 128: a smaller group would keep the matrix engine busier',
    )
  })

  test('nothing of a smaller group where few rows are all there are', () => {
    const workload = makeWorkload({ phase: 'decode', queryLength: 1, kvLength: 4096 })
    expect(messages({ workload })).not.toHaveProperty('over-flattened')
  })

  test('that a single head has no partner', () => {
    const workload = makeWorkload({ heads: 1, kvHeads: 1 })
    expect(messages({ workload })['unpaired-job']).toBe(
      'one head job per group: it has no partner to overlap with',
    )
  })

  test('that a head has no partner', () => {
    const workload = makeWorkload({ heads: 3, kvHeads: 3 })
    expect(messages({ workload })['unpaired-job']).toBe(
      '3 head jobs per group: the last one has no partner to overlap with',
    )
  })

  test('which artefacts of the reference simulator are counted', () => {
    const workload = makeWorkload({ causal: true, dtype: 'fp8' })
    const message = messages({ workload })['reference-artefact']
    expect(message).toContain('masked blocks are computed')
    expect(message).not.toContain('FP16')
  })

  test('that the operands do not fit in HBM', () => {
    const chip = makeChipConfig({ hbm: makeHbm({ south: 32 }, { capacityGiB: 0.1 }) })
    expect(messages({ chip, workload: layer })['memory-capacity']).toBe(
      'Q, K, V and O take 256 MiB, more than the 102.4 MiB of HBM',
    )
  })

  test('what no measurement covers', () => {
    const workload = makeWorkload({
      variant: 'mqa',
      heads: 8,
      phase: 'decode',
      queryLength: 1,
      headDim: 80,
    })
    const chip = makeNewDesign({ tiles: { x: 3, y: 2 } })
    expect(messages({ chip, workload })['outside-validated-regime']).toBe(
      'no published measurement covers variant mqa, decode with flat-async, head dimension 80, 6 tiles; the model extrapolates',
    )
  })

  const gqaDecode = makeWorkload({
    variant: 'gqa',
    phase: 'decode',
    batch: 64,
    heads: 32,
    kvHeads: 2,
    queryLength: 1,
  })
  const mlaDecode = makeWorkload({
    variant: 'mla',
    phase: 'decode',
    batch: 64,
    heads: 128,
    kvHeads: 1,
    queryLength: 1,
    dtype: 'fp8',
  })

  test.each([
    ['GQA with FlatAsync', { workload: gqaDecode, dataflow: 'flat-async' }],
    ['MLA with FlatAsync', { workload: mlaDecode, dataflow: 'flat-async' }],
    ['MLA with FlashMLA', { workload: mlaDecode, dataflow: 'flash-mla' }],
  ] as const)('not for decode of %s, which was measured', (_, changes) => {
    expect(messages(changes)).not.toHaveProperty('outside-validated-regime')
  })

  test.each([
    [{ workload: gqaDecode, dataflow: 'fa3' }, 'variant gqa, decode with fa3'],
    [{ workload: mlaDecode, dataflow: 'flash-mla-fair' }, 'FlashMLA on all tiles'],
    [
      { workload: { ...mlaDecode, latentDim: 256 }, dataflow: 'flat-async' },
      'other dimensions than those of DeepSeek',
    ],
    [{ workload: { ...mlaDecode, phase: 'prefill' }, dataflow: 'flat-async' }, 'variant mla'],
  ] as const)('for %o names %s', (changes, named) => {
    expect(messages(changes)['outside-validated-regime']).toBe(
      `no published measurement covers ${named}; the model extrapolates`,
    )
  })

  test('that a group does not divide the mesh', () => {
    const mapping = { groupX: 3, groupY: 3 }
    expect(messages({ workload: mlaDecode, mapping })['idle-tiles']).toMatch(
      /groups of 3 × 3, which do not divide the mesh of 32 × 32$/,
    )
  })
})
