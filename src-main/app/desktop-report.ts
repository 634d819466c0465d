import { join } from 'node:path'
import { app, BrowserWindow, dialog } from 'electron'
import { createPrintWindow } from '#main/app/page-window.ts'
import { writeWholeFile } from '#main/export/write-whole-file.ts'
import { appUrl } from '#main/page/app-url.ts'
import {
  reportFileName,
  reportFooter,
  reportHeader,
  reportMarginsMm,
  reportRoute,
  reportStateExpression,
  type ReportState,
} from '#main/report/report-layout.ts'
import { waitUntilReady } from '#main/report/wait-until-ready.ts'
import { ApiError } from '#shared/ipc/api-error.ts'
import type { ReportExport } from '#shared/ipc/contract.ts'

const millimetresPerInch = 25.4

/**
 * Asks where to, then prints the report of some experiments from a hidden window.
 *
 * @throws ApiError that says why there is none
 */
export async function saveReport(experimentIds: readonly number[]): Promise<ReportExport> {
  const options = {
    defaultPath: join(app.getPath('documents'), reportFileName(experimentIds)),
    filters: [{ name: 'PDF', extensions: ['pdf'] }],
  }
  const owner = BrowserWindow.getFocusedWindow()
  const { canceled, filePath } = await (owner === null
    ? dialog.showSaveDialog(options)
    : dialog.showSaveDialog(owner, options))
  if (canceled || filePath === '') return { kind: 'cancelled' }
  const pdf = await printHidden(experimentIds)
  await writeWholeFile(filePath, pdf).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error)
    throw new ApiError('internal', `the report could not be saved: ${reason}`)
  })
  return { kind: 'saved', path: filePath }
}

async function printHidden(experimentIds: readonly number[]): Promise<Buffer> {
  const window = createPrintWindow()
  try {
    await window.loadURL(`${appUrl}${reportRoute(experimentIds)}`)
    await waitUntilReady(
      async () =>
        (await window.webContents.executeJavaScript(reportStateExpression)) as ReportState,
      [],
    )
    const { top, right, bottom, left } = reportMarginsMm
    const inches = (millimetres: number) => millimetres / millimetresPerInch
    return await window.webContents.printToPDF({
      pageSize: 'A4',
      printBackground: true,
      displayHeaderFooter: true,
      headerTemplate: reportHeader,
      footerTemplate: reportFooter,
      margins: {
        top: inches(top),
        right: inches(right),
        bottom: inches(bottom),
        left: inches(left),
      },
      generateTaggedPDF: true,
      generateDocumentOutline: true,
    })
  } finally {
    window.destroy()
  }
}
