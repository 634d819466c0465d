import { flushPromises } from '@vue/test-utils'
import { beforeEach, describe, expect, test } from 'vitest'
import StudiesPage from '#renderer/features/studies/StudiesPage.vue'
import { useLabDraftStore } from '#renderer/state/lab-draft-store.ts'
import { runStudy } from '#shared/simulate/run-study.ts'
import { finish, InfeasibleError } from '#shared/simulate/simulation.ts'
import type { StudyId } from '#shared/schema/study-input.ts'
import { createFakeApi } from '#test/src-renderer/support/fake-api.ts'
import { giveElementsASize } from '#test/src-renderer/support/give-elements-a-size.ts'
import { mountInApp } from '#test/src-renderer/support/mount-app.ts'

beforeEach(() => {
  giveElementsASize()
  localStorage.clear()
})

async function openStudy(study: StudyId, isOnLabChip = false) {
  const fake = createFakeApi({
    'study:run': request => {
      try {
        return { kind: 'study', document: finish(runStudy(request)) }
      } catch (error) {
        if (!(error instanceof InfeasibleError)) throw error
        return { kind: 'infeasible', message: error.message }
      }
    },
  })
  const { wrapper, router } = mountInApp(StudiesPage, fake, { study, isOnLabChip })
  await settled()
  const find = (id: string) => wrapper.find(`[data-testid="${id}"]`)
  const drawn = (id: string) =>
    JSON.parse(find(`chart-${id}`).find('[data-chart]').attributes('data-chart') ?? '[]') as {
      name: string
      data: unknown[]
    }[]
  return { fake, wrapper, router, find, drawn }
}

async function settled(): Promise<void> {
  await new Promise(resolve => setTimeout(resolve, 120))
  await flushPromises()
}

describe('group scale', () => {
  test('draws a line for each length with the published points beside, and says what is seen', async () => {
    const { find, drawn, wrapper } = await openStudy('group-scale')
    expect(drawn('group-runtime').map(({ name }) => name)).toEqual([
      ...['S 512', 'S 512, published', 'S 1024', 'S 2048'],
      ...['S 4096', 'S 4096, published'],
    ])
    expect(find('study-findings').text()).toContain('over-flattened')
    expect(find('chart-table').text()).toContain('S 512, 32 × 32')
    wrapper.unmount()
  })

  test('breakdown and utilisation are those of the chosen length', async () => {
    const { find, drawn, wrapper } = await openStudy('group-scale')
    const before = drawn('group-utilization')
    await find('study-length').setValue('4096')
    expect(drawn('group-utilization')).not.toEqual(before)
    expect(find('chart-group-breakdown').text()).toContain('Exposed time at S 4096')
    wrapper.unmount()
  })
})

test('the slice study draws utilisation and L1 with its capacity', async () => {
  const { drawn, wrapper } = await openStudy('slice')
  const capacity = drawn('slice-l1').find(({ name }) => name === 'Capacity')
  expect(new Set(capacity?.data)).toEqual(new Set([384 * 1024]))
  expect(drawn('slice-utilization')).toHaveLength(3)
  wrapper.unmount()
})

test('the collectives study has an operation to choose', async () => {
  const { find, drawn, wrapper } = await openStudy('collectives')
  const before = drawn('collective-time')
  await find('study-operation').setValue('sum')
  expect(drawn('collective-time')).not.toEqual(before)
  expect(drawn('collective-ratio').map(({ name }) => name)).toContain('Software tree, published')
  wrapper.unmount()
})

describe('the chip of the Lab', () => {
  test('is taken instead of the paper’s, without published points', async () => {
    const { fake, drawn, find, wrapper } = await openStudy('slice', true)
    expect(fake.callsOf('study:run')[0]?.input).toHaveProperty('chip.clockGHz', 0.965)
    expect(drawn('slice-l1').some(({ name }) => name.endsWith('published'))).toBe(false)
    useLabDraftStore().setField('chip', ['l1', 'capacityKiB'], 16)
    await settled()
    expect(find('study-findings').text()).toContain('no slice fits in 16 KiB')
    wrapper.unmount()
  })

  test('that is out of range is said', async () => {
    const { find, wrapper } = await openStudy('slice', true)
    useLabDraftStore().setField('chip', ['clockGHz'], -1)
    await settled()
    expect(find('study-no-chip').exists()).toBe(true)
    wrapper.unmount()
  })

  test('on which the study does not run says why', async () => {
    const { find, wrapper } = await openStudy('collectives', true)
    useLabDraftStore().setField('chip', ['tiles', 'x'], 1)
    await settled()
    expect(find('study-infeasible').text()).toContain('chip.tiles.x: must be at least 2')
    wrapper.unmount()
  })
})

test('a card opens its study, on the same chip', async () => {
  const { find, router, wrapper } = await openStudy('slice', true)
  await find('study-collectives').trigger('click')
  await flushPromises()
  expect(router.currentRoute.value.query).toEqual({ study: 'collectives', chip: 'lab' })
  await find('study-chip').setValue('paper')
  await flushPromises()
  expect(router.currentRoute.value.query).toEqual({ study: 'slice' })
  wrapper.unmount()
})
