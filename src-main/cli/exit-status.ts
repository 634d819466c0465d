import { CommanderError } from 'commander'
import { UsageError, WorkError } from '#main/cli/usage-error.ts'
import { NoChromiumError } from '#main/report/find-chromium.ts'
import { PortInUseError } from '#main/server/browser-host.ts'
import { HistoryError } from '#main/storage/history-error.ts'
import { StorageError } from '#main/storage/storage-error.ts'
import { ApiError } from '#shared/ipc/api-error.ts'
import { InfeasibleError } from '#shared/simulate/simulation.ts'

/** How the command line ends after an error. */
export interface Ending {
  /** 0 done, 1 the work failed, 2 bad arguments or bad input. */
  readonly status: 0 | 1 | 2
  /** For standard error; undefined where enough was said. */
  readonly message: string | undefined
}

const inputErrors = [UsageError, InfeasibleError, HistoryError]
const workErrors = [WorkError, StorageError, PortInUseError, NoChromiumError, ApiError]

/** @param error anything thrown by a command or by the parser of its arguments */
export function endingFor(error: unknown): Ending {
  if (error instanceof CommanderError) {
    return { status: error.exitCode === 0 ? 0 : 2, message: undefined }
  }
  if (!(error instanceof Error)) return { status: 1, message: String(error) }
  if (inputErrors.some(kind => error instanceof kind)) return { status: 2, message: error.message }
  const isExpected = workErrors.some(kind => error instanceof kind) || isFileSystemError(error)
  return { status: 1, message: isExpected ? error.message : (error.stack ?? error.message) }
}

const isFileSystemError = (error: Error): boolean => 'syscall' in error && 'code' in error
