import MarkdownIt from 'markdown-it'

export interface DocumentationPage {
  /** As it stands in the address: 'models-attention'. */
  readonly id: string
  readonly title: string
  readonly markdown: string
}

/** Documentation pages in reading order, from their paths and texts. */
export function documentationPages(files: Readonly<Record<string, string>>): DocumentationPage[] {
  return Object.entries(files)
    .map(([path, markdown]) => {
      const id = pageId(path)
      return { id, title: /^#\s+(.+)$/m.exec(markdown)?.[1]?.trim() ?? id, markdown }
    })
    .toSorted((a, b) => rank(a.id) - rank(b.id) || a.title.localeCompare(b.title))
}

/**
 * HTML of a page; raw HTML in it is shown as text, links between pages stay inside the app.
 *
 * @param images addresses of the pictures by their file names
 */
export function renderMarkdown(
  markdown: string,
  images: Readonly<Record<string, string>> = {},
): string {
  const renderer = new MarkdownIt({ html: false, linkify: false, typographer: false })
  const ordinaryLink = renderer.renderer.rules.link_open
  renderer.renderer.rules.link_open = (tokens, index, options, environment, self) => {
    const token = tokens[index]
    const target = String(token?.attrGet('href') ?? '')
    if (/^https?:/.test(target)) {
      token?.attrSet('target', '_blank')
      token?.attrSet('rel', 'noopener noreferrer')
    } else if (/\.md(#.*)?$/.test(target)) {
      token?.attrSet('href', `#/docs/${pageId(target.replace(/#.*$/, ''))}`)
    }
    return ordinaryLink === undefined
      ? self.renderToken(tokens, index, options)
      : ordinaryLink(tokens, index, options, environment, self)
  }
  const ordinaryImage = renderer.renderer.rules.image
  renderer.renderer.rules.image = (tokens, index, options, environment, self) => {
    const token = tokens[index]
    const name = String(token?.attrGet('src') ?? '').replace(/^.*\//, '')
    const address = images[name]
    if (address === undefined) return renderer.utils.escapeHtml(token?.content ?? '')
    token?.attrSet('src', address)
    return ordinaryImage === undefined
      ? self.renderToken(tokens, index, options)
      : ordinaryImage(tokens, index, options, environment, self)
  }
  return renderer.render(markdown)
}

/** 'resources/docs/models/attention.md' and 'attention.md' are both 'attention'. */
const pageId = (path: string): string => path.replace(/^.*\//, '').replace(/\.md$/, '')

/** Reading order; a page that is not named comes after these, by title. */
const readingOrder = [
  'getting-started',
  'concepts',
  'hardware-model',
  'event-engine',
  'checking',
  'dataflows',
  'mapping',
  'mla',
  'gemm',
  'vector-kernels',
  'd2d',
  'decode',
  'wafer',
  'gpu-cluster',
  'contention',
  'studies',
  'sensitivity',
  'accuracy',
  'validation',
  'reference-artefacts',
  'baselines',
  'command-line',
  'files-and-formats',
  'security',
]
function rank(id: string): number {
  const place = readingOrder.indexOf(id.toLowerCase())
  return place === -1 ? readingOrder.length : place
}
