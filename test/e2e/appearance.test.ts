import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { chipPresets } from '#shared/presets/presets.ts'
import { namelessControls, sidewaysScroll, walkWithTab } from '#test/support/e2e-accessibility.ts'
import { useApplication } from '#test/support/e2e-application.ts'
import { seriousViolations } from '#test/support/e2e-axe.ts'
import { runTessera } from '#test/support/e2e-command.ts'
import { faintTexts } from '#test/support/e2e-contrast.ts'
import { waitForEstimates } from '#test/support/e2e-lab.ts'
import { projectFile } from '#test/support/e2e-project.ts'
import { waitForWafer } from '#test/support/e2e-wafer.ts'
import { importFinished, presetConfig } from '#test/support/e2e-seed.ts'

const application = useApplication()
const { dataDirectory } = application
/** Not in the repository; to be looked at. */
const screenshots = projectFile('out/screenshots')

beforeAll(async () => {
  mkdirSync(screenshots, { recursive: true })
  await importFinished(dataDirectory, { name: 'Two terabytes per second' })
  const chip = presetConfig(chipPresets, 'flat-2026-4tb')
  await importFinished(dataDirectory, { name: 'Four terabytes per second', chip }, 1)
  const third = await importFinished(dataDirectory, { name: 'Put away', dataflows: ['fa2'] }, 2)
  await runTessera(dataDirectory, ['runs', 'delete', String(third)])
})

interface Sight {
  readonly name: string
  readonly route: string
  readonly isThere: (page: Page) => Promise<void>
}

const seen = (testId: string) => (page: Page) => page.getByTestId(testId).first().waitFor()

const sights: readonly Sight[] = [
  { name: 'lab', route: '/lab', isThere: waitForEstimates },
  { name: 'wafer', route: '/wafer', isThere: waitForWafer },
  { name: 'studies', route: '/studies', isThere: seen('study-result') },
  { name: 'validation', route: '/validation', isThere: seen('validation-detail') },
  { name: 'result', route: '/experiments/1', isThere: seen('chart-roofline') },
  { name: 'history', route: '/history', isThere: seen('history-row') },
  { name: 'compare', route: '/compare?experiments=1,2', isThere: seen('compare-table') },
  { name: 'trash', route: '/trash', isThere: seen('history-row') },
  { name: 'docs', route: '/docs', isThere: seen('doc') },
  { name: 'settings', route: '/settings', isThere: seen('settings-page') },
  { name: 'not-found', route: '/nowhere', isThere: seen('not-found') },
]

const nothing = { scrolling: [], faint: [], nameless: [], axe: [] }

/** axe takes longest: it looks at both themes and both sizes, not at all four together. */
async function complaintsAbout(page: Page, withAxe: boolean) {
  return {
    scrolling: await sidewaysScroll(page),
    faint: await faintTexts(page),
    nameless: await namelessControls(page),
    axe: withAxe ? await seriousViolations(page) : [],
  }
}

async function go(page: Page, { route, isThere }: Sight): Promise<void> {
  await page.goto(`${application.host.origin}/#${route}`)
  await isThere(page)
}

describe.each([
  { width: 1440, height: 900 },
  { width: 1024, height: 700 },
])('at $width × $height', viewport => {
  test.each(['light', 'dark'] as const)(
    'in the %s theme every page fits, can be read and has nothing to complain of',
    async colorScheme => {
      const page = await application.open('/', { viewport, colorScheme })
      const complaints: unknown[] = []
      const withAxe = (viewport.width === 1440) === (colorScheme === 'dark')
      for (const sight of sights) {
        await go(page, sight)
        const file = `${sight.name}-${String(viewport.width)}-${colorScheme}.png`
        await page.screenshot({ path: join(screenshots, file) })
        // What is just fading in may be faint: a complaint is one that stays.
        const isClean = await expect
          .poll(async () => await complaintsAbout(page, withAxe), {
            timeout: 15_000,
            interval: 300,
          })
          .toEqual(nothing)
          .then(
            () => true,
            () => false,
          )
        if (!isClean) complaints.push({ file, ...(await complaintsAbout(page, withAxe)) })
      }
      expect(complaints).toEqual([])
    },
  )
})

describe('by keyboard alone', () => {
  test.each(sights)('every control of $name is reached, and shows that it is', async sight => {
    const page = await application.open()
    await go(page, sight)
    const { unreached, withoutFocusMark } = await walkWithTab(page)
    expect(unreached).toEqual([])
    expect(withoutFocusMark).toEqual([])
  })

  test('the content is reached without a walk through the navigation', async () => {
    const page = await application.open('/history')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('content')
  })
})

describe('the theme', () => {
  test('is chosen by hand, and stays', async () => {
    const page = await application.open()
    const isDark = () => page.evaluate(() => document.documentElement.classList.contains('dark'))
    const toggle = page.getByTestId('theme-toggle')
    expect(await isDark()).toBe(false)
    await toggle.click()
    await toggle.click()
    expect(await toggle.getAttribute('data-theme')).toBe('dark')
    expect(await isDark()).toBe(true)
    await page.reload()
    await expect.poll(isDark).toBe(true)
  })
})
