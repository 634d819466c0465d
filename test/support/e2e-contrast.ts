import type { Page } from 'playwright-core'

/** A text whose colour stands out too little from what is behind it. */
interface FaintText {
  readonly text: string
  readonly ratio: number
}

/**
 * The visible texts of a page with less contrast than WCAG 2.2 AA asks for: 4.5, or 3 for large
 * ones. Left out are texts of controls that are disabled, and those within drawings.
 */
export async function faintTexts(page: Page): Promise<FaintText[]> {
  const texts = await page.evaluate(readTexts)
  if (texts.length === 0) throw new Error('the page shows no text at all')
  return texts.flatMap(({ text, color, behind, isLarge }) => {
    const ratio = contrast(color, behind)
    return ratio < (isLarge ? 3 : 4.5) ? [{ text, ratio: Math.round(ratio * 100) / 100 }] : []
  })
}

/** Red, green and blue, from 0 to 255. */
type Color = readonly [number, number, number]

/** From 1 to 21, as WCAG defines it. */
function contrast(one: Color, other: Color): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return (high + 0.05) / (low + 0.05)
}

function luminance(color: Color): number {
  const [red, green, blue] = color.map(channel => {
    const part = channel / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

interface ShownText {
  readonly text: string
  readonly color: Color
  readonly behind: Color
  readonly isLarge: boolean
}

function readTexts(): ShownText[] {
  const parse = (text: string): [number, number, number, number] => {
    const [red = 0, green = 0, blue = 0, alpha = 1] = (text.match(/[\d.]+/g) ?? []).map(Number)
    const scale = text.startsWith('color(') ? 255 : 1
    return [red * scale, green * scale, blue * scale, alpha]
  }
  const over = (
    [red, green, blue, alpha]: [number, number, number, number],
    under: Color,
  ): Color => [
    red * alpha + under[0] * (1 - alpha),
    green * alpha + under[1] * (1 - alpha),
    blue * alpha + under[2] * (1 - alpha),
  ]
  const behindOf = (element: Element | null): Color => {
    if (element === null) return [255, 255, 255]
    const own = parse(getComputedStyle(element).backgroundColor)
    return own[3] === 1 ? [own[0], own[1], own[2]] : over(own, behindOf(element.parentElement))
  }
  const texts: ShownText[] = []
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const element = node.parentElement
    const text = (node.textContent ?? '').trim()
    if (text === '' || element?.closest('svg, select, :disabled') !== null) {
      continue
    }
    const isShown = element.checkVisibility({ opacityProperty: true, visibilityProperty: true })
    if (!isShown || element.closest('.visually-hidden') !== null) continue
    const { color, fontSize, fontWeight } = getComputedStyle(element)
    const behind = behindOf(element)
    const size = Number.parseFloat(fontSize)
    texts.push({
      text: text.slice(0, 60),
      color: over(parse(color), behind),
      behind,
      isLarge: size >= 24 || (size >= 18.66 && Number(fontWeight) >= 700),
    })
  }
  return texts
}
