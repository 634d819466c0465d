import { expect, test } from 'vitest'
import { createMemoryHistory, createRouter } from 'vue-router'
import { idsOf, routes } from '#renderer/app/routes.ts'

const router = createRouter({ history: createMemoryHistory(), routes })
const nameOf = (path: string) => router.resolve(path).name

test.each([
  ['/lab', 'lab'],
  ['/wafer', 'wafer'],
  ['/experiments/12', 'result'],
  ['/experiments/twelve', 'not-found'],
  ['/history', 'history'],
  ['/trash', 'trash'],
  ['/compare?experiments=1,2&baseline=1:fa2', 'compare'],
  ['/docs', 'docs'],
  ['/docs/attention', 'docs'],
  ['/studies', 'studies'],
  ['/validation?engine=event&set=fig8', 'validation'],
  ['/settings', 'settings'],
  ['/report?experiments=1', 'report'],
  ['/anything/else', 'not-found'],
])('%s is the page %s', (path, name) => {
  expect(nameOf(path)).toBe(name)
})

test.each([
  ['1,2,3', [1, 2, 3]],
  ['2,2', [2]],
  ['1,x,-4,0,1.5,', [1]],
  [undefined, []],
])('ids in %j', (text, ids) => {
  expect(idsOf(text)).toEqual(ids)
})
