/** Where in the page the report of some experiments is. */
export const reportRoute = (experimentIds: readonly number[]): string =>
  `#/report?experiments=${experimentIds.join(',')}`

/** What the report page says of itself, as attributes of its root element. */
export interface ReportState {
  /** 'true' once everything is drawn, 'failed' if it never will be. */
  readonly ready: string | null
  readonly message: string | null
}

/** Evaluated in the page. */
export const reportStateExpression = `({
  ready: document.documentElement.dataset.reportReady ?? null,
  message: document.documentElement.dataset.reportMessage ?? null,
})`

export const reportTimeoutMs = 60_000

const marginText = 'font: 8px sans-serif; color: #666; width: 100%; padding: 0 14mm;'

/** Head and foot of each page; Chromium fills in the numbers. */
export const reportHeader = `<div style="${marginText}">Tessera report</div>`
export const reportFooter = `<div style="${marginText} text-align: right;">Page <span class="pageNumber"></span> of <span class="totalPages"></span></div>`

export const reportMarginsMm = { top: 16, right: 14, bottom: 16, left: 14 } as const

/** 'tessera-report-7.pdf', 'tessera-report-7-9-12.pdf', 'tessera-report-7-and-11-more.pdf'. */
export function reportFileName(experimentIds: readonly number[]): string {
  const few = experimentIds.length <= 4
  const first = String(experimentIds[0] ?? 0)
  const ids = few
    ? experimentIds.join('-')
    : `${first}-and-${String(experimentIds.length - 1)}-more`
  return `tessera-report-${ids}.pdf`
}
