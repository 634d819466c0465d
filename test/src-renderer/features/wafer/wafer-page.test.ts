import { flushPromises } from '@vue/test-utils'
import { beforeEach, describe, expect, test } from 'vitest'
import WaferPage from '#renderer/features/wafer/WaferPage.vue'
import type { DecodeEstimate, DecodeSweep } from '#shared/ipc/contract.ts'
import { chipRoles } from '#shared/simulate/chip-roles.ts'
import { planDecode } from '#shared/simulate/plan-decode.ts'
import { estimateDecode } from '#shared/simulate/run-decode.ts'
import { finish, InfeasibleError } from '#shared/simulate/simulation.ts'
import { createFakeApi } from '#test/src-renderer/support/fake-api.ts'
import { giveElementsASize } from '#test/src-renderer/support/give-elements-a-size.ts'
import { mountInApp } from '#test/src-renderer/support/mount-app.ts'

beforeEach(() => {
  giveElementsASize()
  localStorage.clear()
})

/** Few points are enough to see what becomes of them. */
const fewBatches = { batches: [64, 256], expertParallel: [32, 64] }

async function openWafer() {
  const fake = createFakeApi({
    'decode:estimate': (input): DecodeEstimate => {
      try {
        return { kind: 'estimate', document: estimateDecode(input), chips: chipRoles(input) }
      } catch (error) {
        if (!(error instanceof InfeasibleError)) throw error
        return { kind: 'infeasible', message: error.message }
      }
    },
    'decode:sweep': ({ input }): DecodeSweep => {
      const search = { ...input.search, ...fewBatches }
      return { kind: 'sweep', document: finish(planDecode({ ...input, search })) }
    },
  })
  const { wrapper } = mountInApp(WaferPage, fake)
  await settled()
  return { fake, wrapper, find: (id: string) => wrapper.find(`[data-testid="${id}"]`) }
}

/** Longer than the pauses before a request. */
async function settled(): Promise<void> {
  await new Promise(resolve => setTimeout(resolve, 700))
  await flushPromises()
}

describe('at first', () => {
  test('the published deployment is shown, with its mesh, memory and kernels', async () => {
    const { find, wrapper } = await openWafer()
    expect(parseFloat(find('wafer-tpot').text())).toBeCloseTo(35.8, -0.5)
    expect(find('wafer-summary').text()).toContain('✓ within 50 ms')
    expect(wrapper.findAll('[data-testid="mesh-chip"]')).toHaveLength(64)
    expect(find('wafer-mesh').text()).toContain('MiB')
    expect(find('wafer-kernels').text()).toContain('attention')
    expect(find('chart-memory').html()).toContain('KV cache')
    wrapper.unmount()
  })

  test('one sweep and one deployment are asked for', async () => {
    const { fake, wrapper } = await openWafer()
    expect(fake.callsOf('decode:sweep')).toHaveLength(1)
    expect(fake.callsOf('decode:estimate')).toHaveLength(1)
    wrapper.unmount()
  })
})

describe('the form', () => {
  test('a new batch is simulated, but not swept again', async () => {
    const { fake, find, wrapper } = await openWafer()
    await find('field-batchPerChip').find('input').setValue('64')
    await settled()
    expect(fake.callsOf('decode:estimate').at(-1)?.input).toMatchObject({
      deployment: { batchPerChip: 64 },
    })
    expect(fake.callsOf('decode:sweep')).toHaveLength(1)
    wrapper.unmount()
  })

  test('another system is swept', async () => {
    const { fake, find, wrapper } = await openWafer()
    await find('wafer-system').setValue('wafer-160gb')
    await settled()
    expect(fake.callsOf('decode:sweep')).toHaveLength(2)
    wrapper.unmount()
  })

  test('what does not fit is said, with what is missing', async () => {
    const { find, wrapper } = await openWafer()
    await find('field-batchPerChip').find('input').setValue('2048')
    await settled()
    expect(find('wafer-infeasible').text()).toMatch(/GiB are missing/)
    expect(find('wafer-estimate').text()).toContain('does not run')
    wrapper.unmount()
  })

  test('a wrong split is named, and the last numbers stay', async () => {
    const { fake, find, wrapper } = await openWafer()
    await find('field-expertParallel').find('input').setValue('3')
    await settled()
    expect(find('wafer-problems').text()).toContain('deployment.expertParallel: must cut the 8 x 8')
    expect(find('wafer-estimate').attributes('data-state')).toBe('old')
    expect(fake.callsOf('decode:estimate')).toHaveLength(1)
    wrapper.unmount()
  })

  test('the best point is taken into the form, undo takes it back', async () => {
    const { find, wrapper } = await openWafer()
    expect(find('best-point').text()).toContain('EP64-PP1')
    await find('take-best').trigger('click')
    const split = () => find('field-expertParallel').find('input').element.value
    expect(split()).toBe('64')
    await find('undo').trigger('click')
    expect(split()).toBe('32')
    await find('redo').trigger('click')
    expect(split()).toBe('64')
    wrapper.unmount()
  })

  test('a limit that no point meets is said', async () => {
    const { find, wrapper } = await openWafer()
    await find('field-sloMs').find('input').setValue('0.5')
    expect(find('best-point').text()).toContain('No point is within the limit of 0.5 ms')
    expect(find('wafer-summary').text()).toContain('✕ above 0.5 ms')
    wrapper.unmount()
  })
})

test('a host that fails is said', async () => {
  const { wrapper } = mountInApp(WaferPage, createFakeApi())
  await settled()
  expect(wrapper.find('[data-testid="wafer-failure"]').text()).toContain('no answer to decode')
  wrapper.unmount()
})
