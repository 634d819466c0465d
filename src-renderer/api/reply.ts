import { ApiError } from '#shared/ipc/api-error.ts'
import type { Reply } from '#shared/ipc/contract.ts'

/** @throws ApiError where the reply tells of a failure */
export function valueOf(reply: Reply): unknown {
  if (reply.ok) return reply.value
  throw new ApiError(reply.code, reply.message)
}

/** A message fit to be shown, whatever was thrown. */
export const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error)
