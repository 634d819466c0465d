import type { BreakdownComponent } from '#shared/results/attention-result.ts'

/** Okabe and Ito's palette: told apart with every common colour vision; the same in each chart. */
export const componentColors: Readonly<Record<BreakdownComponent, string>> = {
  matrix: '#0072b2',
  vector: '#e69f00',
  hbm: '#d55e00',
  multicast: '#56b4e9',
  'max-reduction': '#009e73',
  'sum-reduction': '#cc79a7',
  other: '#8c959f',
}

/** Roofs of the chips of a comparison, in turn. */
export const roofColors = ['#0072b2', '#009e73', '#cc79a7', '#e69f00'] as const

/** Colour and mark of each split of a system, so that neither alone has to tell them apart. */
export const splitLooks = [
  { color: '#0072b2', symbol: 'circle' },
  { color: '#e69f00', symbol: 'rect' },
  { color: '#009e73', symbol: 'triangle' },
  { color: '#cc79a7', symbol: 'diamond' },
  { color: '#56b4e9', symbol: 'roundRect' },
  { color: '#a6761d', symbol: 'arrow' },
  { color: '#7570b3', symbol: 'circle' },
] as const

/** One series, two series: read and written, matrix and memory. */
export const FIRST_COLOR = '#0072b2'
export const SECOND_COLOR = '#56b4e9'
export const MEASURED_COLOR = '#d55e00'

/** Colours of axes and text, as ECharts takes a theme. */
export function chartTheme(isDark: boolean): Readonly<Record<string, unknown>> {
  const text = isDark ? '#c9d0d8' : '#3c434d'
  const line = isDark ? '#434b56' : '#c8cdd4'
  const split = isDark ? '#2c323a' : '#e8ebef'
  const axis = {
    axisLine: { lineStyle: { color: line } },
    axisTick: { lineStyle: { color: line } },
    axisLabel: { color: text },
    nameTextStyle: { color: text },
    splitLine: { lineStyle: { color: split } },
  }
  return {
    darkMode: isDark,
    backgroundColor: 'transparent',
    textStyle: { color: text, fontFamily: 'system-ui, sans-serif' },
    legend: { textStyle: { color: text } },
    valueAxis: axis,
    categoryAxis: axis,
    logAxis: axis,
    // Labels of points stand on lines.
    scatter: {
      label: { color: text, textBorderColor: isDark ? '#1c2026' : '#fff', textBorderWidth: 3 },
    },
    tooltip: {
      backgroundColor: isDark ? '#272d36' : '#fff',
      borderColor: line,
      textStyle: { color: isDark ? '#e4e8ed' : '#1c2128', fontSize: 12 },
    },
  }
}
