import { enableAutoUnmount, flushPromises } from '@vue/test-utils'
import { afterEach, expect, test } from 'vitest'
import DecodeKernels from '#renderer/results/decode/DecodeKernels.vue'
import { useLabDraftStore } from '#renderer/state/lab-draft-store.ts'
import { estimateDecode } from '#shared/simulate/run-decode.ts'
import { createFakeApi } from '#test/src-renderer/support/fake-api.ts'
import { mountInApp } from '#test/src-renderer/support/mount-app.ts'
import { makeDecodeInput } from '#test/support/make-decode-input.ts'

enableAutoUnmount(afterEach)

test('attention opens in the Lab with chip, shape and dataflow, which can be undone', async () => {
  const input = makeDecodeInput({ batchPerChip: 64, attention: 'flash' })
  const rows = estimateDecode(input).result.kernels.filter(({ stage }) => stage === 0)
  const { wrapper, router } = mountInApp(DecodeKernels, createFakeApi(), { rows, input })
  const buttons = wrapper.findAll('[data-testid="open-kernel"]')
  expect(buttons.map(button => button.attributes('aria-label'))).toEqual(['Open in Lab: attention'])
  const lab = useLabDraftStore()
  const before = lab.draft
  await buttons[0]?.trigger('click')
  await flushPromises()
  expect(router.currentRoute.value.name).toBe('lab')
  expect(lab.spec).toMatchObject({
    chip: { name: input.system.chip.name },
    workload: { variant: 'mla', phase: 'decode', batch: 64, kvLength: 4096 },
    dataflows: ['flash-mla'],
  })
  lab.undo()
  expect(lab.draft).toEqual(before)
})
