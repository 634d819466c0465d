import { existsSync, readdirSync } from 'node:fs'
import { basename } from 'node:path'
import { describe, expect, test } from 'vitest'
import { useApplication } from '#test/support/e2e-application.ts'
import { projectFile } from '#test/support/e2e-project.ts'

const application = useApplication()

/** The pages that belong in the app: those on the app and those on its models. */
const documentIds = ['resources/docs', 'resources/docs/models']
  .filter(folder => existsSync(projectFile(folder)))
  .flatMap(folder => readdirSync(projectFile(folder)))
  .filter(name => name.endsWith('.md'))
  .map(name => basename(name, '.md'))

describe('the documentation', () => {
  test('opens every page, and none of its links leads nowhere', async () => {
    const page = await application.open('/docs')
    const links = page.getByRole('navigation', { name: 'Documentation' }).getByRole('link')
    await links.first().waitFor()
    const listed = await links.evaluateAll(all => all.map(link => link.getAttribute('data-testid')))
    expect(listed.toSorted()).toEqual(documentIds.map(id => `doc-${id}`).toSorted())

    for (const id of documentIds) {
      const link = page.getByTestId(`doc-${id}`)
      await link.click()
      await expect.poll(() => link.getAttribute('aria-current'), { message: id }).toBe('page')
      const article = page.getByTestId('doc')
      await expect.poll(() => article.getByRole('heading', { level: 1 }).count()).toBe(1)
      const targets = await article
        .locator('a')
        .evaluateAll(all => all.map(anchor => anchor.getAttribute('href') ?? ''))
      const known = documentIds.map(target => `#/docs/${target}`)
      const unknown = targets.filter(
        target => !target.startsWith('https://') && !known.includes(target),
      )
      expect(unknown, `links in ${id}`).toEqual([])
    }
  })

  test('says that a page does not exist', async () => {
    const page = await application.open('/docs/no-such-page')
    await page.getByText('There is no such page in the documentation').waitFor()
    await page.getByRole('link', { name: 'Go to the first page' }).click()
    await expect.poll(() => page.getByTestId('doc').count()).toBe(1)
  })
})

test('an address that is none leads back to the Lab', async () => {
  const page = await application.open('/no/such/page')
  await page.getByTestId('not-found').waitFor()
  await page.getByRole('link', { name: 'Go to the Lab' }).click()
  await expect.poll(() => page.url()).toMatch(/#\/lab$/)
})
