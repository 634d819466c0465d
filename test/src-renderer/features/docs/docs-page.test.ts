import { expect, test } from 'vitest'
import DocsPage from '#renderer/features/docs/DocsPage.vue'
import { createFakeApi } from '#test/src-renderer/support/fake-api.ts'
import { mountInApp } from '#test/src-renderer/support/mount-app.ts'

const open = (page: string) => mountInApp(DocsPage, createFakeApi(), { page }).wrapper

test('the first page is shown where none is asked for', () => {
  const doc = open('').find('[data-testid=doc]')
  expect(doc.find('h1').text()).toBe('Getting started')
  expect(doc.findAll('p').length).toBeGreaterThan(3)
})

test('a page is found by its name', () => {
  expect(open('concepts').find('[data-testid=doc] h1').text()).toBe('Concepts')
})

test('a page that is not there says so', () => {
  expect(open('nothing').find('[data-testid=empty-state]').text()).toContain('no such page')
})
