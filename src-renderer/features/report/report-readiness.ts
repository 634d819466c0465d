/** Takes back what an earlier report said. */
export function markPending(marks: DOMStringMap): void {
  delete marks.reportReady
  delete marks.reportMessage
}

export function markFailed(marks: DOMStringMap, message: string): void {
  marks.reportMessage = message
  marks.reportReady = 'failed'
}

/**
 * Says that the report may be printed once its fonts are there and what was drawn is on screen.
 *
 * @param charts resolves when every chart is drawn
 * @param settled resolves after the browser has laid the page out
 * @param signal aborted when the report failed or the page was left: then nothing is said
 */
export async function markReadyAfter(
  marks: DOMStringMap,
  charts: Promise<void>,
  fonts: Promise<unknown>,
  settled: () => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  await Promise.all([charts, fonts])
  await settled()
  if (!signal.aborted) marks.reportReady = 'true'
}

/** Two frames: the first one lays out, the second one has painted. A hidden page has no frames. */
export function twoFrames(): Promise<void> {
  return new Promise(resolve => {
    const fallback = setTimeout(resolve, 200)
    requestAnimationFrame(() => {
      requestAnimationFrame(() => {
        clearTimeout(fallback)
        resolve()
      })
    })
  })
}
