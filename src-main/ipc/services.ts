import type { AppInfo, ReportExport, SweepProgress } from '#shared/ipc/contract.ts'
import type { ExperimentSpec } from '#shared/schema/attention-input.ts'
import type { ValidationService } from '#main/core/validation-service.ts'
import type { History } from '#main/storage/history.ts'

/** What the handlers need of the core. */
export interface Services {
  info(): AppInfo
  /**
   * Calls `work` with the history.
   *
   * @throws StorageError where there is none, or where it cannot be read or written
   */
  withHistory<Result>(work: (history: History) => Result): Result
  /** The same, and tells all pages that the list has changed. */
  changeHistory<Result>(work: (history: History) => Result): Result
  startExperiment(
    spec: ExperimentSpec,
    again: boolean,
  ): { readonly experimentId: number; readonly reused: boolean }
  deleteExperiments(ids: readonly number[]): void
  /** @throws ApiError where there is no such run, or it belongs to another process */
  cancelRun(runId: number): void
  /** Tells all pages how far a sweep is. */
  reportSweep(progress: SweepProgress): void
  printReport(experimentIds: readonly number[]): Promise<ReportExport>
  readonly validation: Pick<ValidationService, 'get' | 'start' | 'cancel'>
}
