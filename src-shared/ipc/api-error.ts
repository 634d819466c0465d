import type { ApiErrorCode } from '#shared/ipc/contract.ts'

/** A request that failed, with a message fit to be shown. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly code: ApiErrorCode

  constructor(code: ApiErrorCode, message: string) {
    super(message)
    this.code = code
  }
}
