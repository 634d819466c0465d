import { describe, expect, test } from 'vitest'
import { useApplication } from '#test/support/e2e-application.ts'
import { estimateOf, labInput, typeValue, waitForEstimates } from '#test/support/e2e-lab.ts'

const application = useApplication()
/** What the browser itself says of a socket or a request to a host that is gone. */
const expectedProblems =
  /WebSocket|ERR_(CONNECTION_REFUSED|CONNECTION_RESET|EMPTY_RESPONSE|ABORTED)/

describe('a page whose host was killed', () => {
  test('says so, keeps the edits and tells how to go on once a host is there again', async () => {
    const page = await application.open('/', { expectedProblems })
    await typeValue(page, 'workload', 'batch', '3')
    const { port } = application.host
    await application.host.kill()
    const banner = page.getByTestId('disconnected')
    await banner.waitFor()
    expect(await banner.innerText()).toContain('Disconnected')
    await labInput(page, 'workload', 'batch').fill('4')

    const again = await application.restart({ port })
    const refused = page.getByTestId('refused')
    await refused.waitFor()
    expect(await refused.innerText()).toContain('Open the address')
    expect(await banner.count()).toBe(0)

    await page.goto(again.url)
    await waitForEstimates(page)
    expect(await refused.count()).toBe(0)
    expect(await labInput(page, 'workload', 'batch').inputValue()).toBe('4')
    expect(await estimateOf(page, 'fa3').getByTestId('runtime').innerText()).not.toBe('')
  })
})
