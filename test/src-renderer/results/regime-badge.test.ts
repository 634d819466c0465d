import { expect, test } from 'vitest'
import RegimeBadge from '#renderer/results/RegimeBadge.vue'
import type { AttentionInput } from '#shared/schema/attention-input.ts'
import { presetChip, publishedInput } from '#shared/validation/published-input.ts'
import { createFakeApi } from '#test/src-renderer/support/fake-api.ts'
import { mountInApp } from '#test/src-renderer/support/mount-app.ts'

const input = (changes: Partial<AttentionInput['workload']>): AttentionInput => {
  const published = publishedInput({
    ...{ chip: presetChip('flat-2025'), dataflow: 'flat-async', batch: 2, heads: 32 },
    ...{ headDim: 128, queryLength: 4096, kvLength: 4096 },
  })
  return { ...published, workload: { ...published.workload, ...changes } }
}

test.each([
  [{}, 'inside', '✓ validated'],
  [{ causal: true }, 'near', '≈ near validated'],
  [{ causal: true, dtype: 'fp8' as const }, 'outside', '! not validated'],
])('%j is %s, told by a mark and words', (changes, kind, text) => {
  const { wrapper } = mountInApp(RegimeBadge, createFakeApi(), { input: input(changes) })
  const badge = wrapper.find('[data-testid="regime-badge"]')
  expect(badge.attributes('data-regime')).toBe(kind)
  expect(badge.text().replace(/\s+/g, ' ')).toBe(text)
  expect(badge.attributes('href')).toMatch(
    /^\/validation\?set=(fig8-dataflows-2025|attention-runs-2026)$/,
  )
  wrapper.unmount()
})

test('what differs is in its name, for those who do not see the tip', () => {
  const { wrapper } = mountInApp(RegimeBadge, createFakeApi(), { input: input({ causal: true }) })
  expect(wrapper.find('a').attributes('aria-label')).toContain('Different: a causal mask.')
  wrapper.unmount()
})
