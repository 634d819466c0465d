import { describe, expect, test } from 'vitest'
import { documentationPages, renderMarkdown } from '#renderer/features/docs/documentation.ts'

test('pages are titled by their heading, the introduction comes first', () => {
  expect(
    documentationPages({
      '../resources/docs/noc.md': '# NoC and collectives\n',
      '../resources/docs/attention.md': 'no heading',
      '../resources/docs/getting-started.md': '# What it is',
    }).map(({ id, title }) => [id, title]),
  ).toEqual([
    ['getting-started', 'What it is'],
    ['attention', 'attention'],
    ['noc', 'NoC and collectives'],
  ])
})

describe('Markdown', () => {
  test('tables are drawn', () => {
    expect(renderMarkdown('| a |\n|---|\n| b |')).toContain('<td>b</td>')
  })

  test('HTML in it is text', () => {
    expect(renderMarkdown('<img src=x onerror=alert(1)>')).not.toContain('<img')
  })

  test('pictures come from the app alone, others are their text', () => {
    const images = { 'mesh.png': '/assets/mesh-1.png' }
    expect(renderMarkdown('![Mesh](images/mesh.png)', images)).toContain(
      '<img src="/assets/mesh-1.png" alt="Mesh">',
    )
    expect(renderMarkdown('![a<b](https://example.org/x.png)', images)).toBe('<p>a&lt;b</p>\n')
  })

  test('scripts in links are no links', () => {
    expect(renderMarkdown('[x](javascript:alert(1))')).not.toContain('<a')
  })

  test('links between pages stay in the app', () => {
    expect(renderMarkdown('[x](models/attention.md#group)')).toContain('href="#/docs/attention"')
  })

  test('links to the web open outside', () => {
    expect(renderMarkdown('[x](https://arxiv.org/abs/2604.02110)')).toContain(
      'target="_blank" rel="noopener noreferrer"',
    )
  })
})
