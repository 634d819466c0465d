import { ElMessage } from 'element-plus'
import { useApi } from '#renderer/api/use-api.ts'
import { useTask } from '#renderer/composables/useTask.ts'
import { followDownload } from '#renderer/ui/download-text.ts'

/** Prints experiments as a PDF and hands the file over as the host does it. */
export function useReportExport() {
  const api = useApi()
  const { isBusy, run } = useTask()

  const exportReport = (experimentIds: readonly number[]): Promise<boolean> =>
    run(async () => {
      const made = await api.invoke('report:export', { experimentIds: [...experimentIds] })
      if (made.kind === 'download') followDownload(made.path, made.fileName)
      if (made.kind === 'saved') ElMessage({ type: 'success', message: `Saved ${made.path}` })
    })

  return { isExporting: isBusy, exportReport }
}
