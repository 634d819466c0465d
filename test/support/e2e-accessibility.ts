import type { Page } from 'playwright-core'

/** Roles of what a person can operate. */
const operable = new Set([
  'button',
  'checkbox',
  'combobox',
  'link',
  'menuitem',
  'option',
  'radio',
  'searchbox',
  'slider',
  'spinbutton',
  'switch',
  'tab',
  'textbox',
])

interface AccessibilityNode {
  readonly ignored: boolean
  readonly role?: { readonly value?: string }
  readonly name?: { readonly value?: string }
  readonly backendDOMNodeId?: number
}

/** The controls of a page that have no accessible name, as Chromium computes it; by role. */
export async function namelessControls(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page)
  try {
    const { nodes } = (await session.send('Accessibility.getFullAXTree')) as {
      nodes: AccessibilityNode[]
    }
    const controls = nodes.filter(
      ({ ignored, role }) => !ignored && operable.has(role?.value ?? ''),
    )
    if (controls.length === 0) throw new Error('the page has no controls at all')
    return controls
      .filter(({ name }) => (name?.value ?? '').trim() === '')
      .map(({ role, backendDOMNodeId }) => `${role?.value ?? ''} ${String(backendDOMNodeId)}`)
  } finally {
    await session.detach()
  }
}

/** The elements that are wider than they show, of those that a page must not scroll sideways. */
export const sidewaysScroll = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    ['html', 'body', '#app', '#content'].filter(selector => {
      const element = document.querySelector(selector)
      return element !== null && element.scrollWidth > element.clientWidth
    }),
  )

interface TabWalk {
  /** Controls that no press of Tab leads to. */
  readonly unreached: readonly string[]
  /** Controls that look the same with and without the focus. */
  readonly withoutFocusMark: readonly string[]
}

/** Presses Tab until it comes round, and looks at what has the focus each time. */
export async function walkWithTab(page: Page): Promise<TabWalk> {
  const count = await page.evaluate(markControls)
  const reached = new Set<number>()
  const unmarked = new Set<number>()
  for (let press = 0; press < count + 5; press++) {
    await page.keyboard.press('Tab')
    const { index, isMarked } = await page.evaluate(lookAtFocus)
    if (index === undefined) continue
    if (reached.has(index)) break
    reached.add(index)
    if (!isMarked) unmarked.add(index)
  }
  const names = await page.evaluate(nameControls)
  return {
    unreached: names.filter((_, index) => !reached.has(index)),
    withoutFocusMark: names.filter((_, index) => unmarked.has(index)),
  }
}

/** What `markControls` leaves in the page for the functions after it. */
interface MarkedWindow extends Window {
  controls?: { element: Element; look: string; lookOf: (element: Element) => string }[]
}

function markControls(): number {
  const lookOf = (element: Element): string =>
    [element, element.parentElement ?? element]
      .map(node => {
        const { outline, boxShadow, borderColor, top } = getComputedStyle(node)
        return [outline, boxShadow, borderColor, top].join('|')
      })
      .join('||')
  const selector =
    'a[href], button, input, select, textarea, summary, [tabindex]:not([tabindex^="-"])'
  const elements = [...document.querySelectorAll(selector)].filter(
    element =>
      element.checkVisibility({ visibilityProperty: true }) &&
      element.getAttribute('tabindex')?.startsWith('-') !== true &&
      !element.matches(':disabled') &&
      // Tab leads to the chosen one of a group, the arrows to the others.
      !element.matches('[type=radio]:not(:checked)'),
  )
  ;(window as MarkedWindow).controls = elements.map(element => ({
    element,
    look: lookOf(element),
    lookOf,
  }))
  return elements.length
}

function lookAtFocus(): { index: number | undefined; isMarked: boolean } {
  const focused = document.activeElement
  const controls = (window as MarkedWindow).controls ?? []
  const index = controls.findIndex(({ element }) => element === focused)
  const control = controls[index]
  if (focused === null || control === undefined) return { index: undefined, isMarked: true }
  return { index, isMarked: control.lookOf(focused) !== control.look }
}

function nameControls(): string[] {
  return ((window as MarkedWindow).controls ?? []).map(({ element }) => {
    const name =
      element.getAttribute('data-testid') ??
      element.closest('[data-testid]')?.getAttribute('data-testid') ??
      ''
    return `${element.tagName.toLowerCase()} ${name} ${element.textContent.trim().slice(0, 40)}`
  })
}
