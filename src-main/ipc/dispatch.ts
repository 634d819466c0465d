import { setTimeout as pause } from 'node:timers/promises'
import { ApiError } from '#shared/ipc/api-error.ts'
import { channels, type Channel } from '#shared/ipc/channels.ts'
import { requests, type Input, type Output, type Reply } from '#shared/ipc/contract.ts'
import { issueLines } from '#shared/schema/issue-text.ts'
import { InfeasibleError } from '#shared/simulate/simulation.ts'
import { HistoryError } from '#main/storage/history-error.ts'
import { StorageError } from '#main/storage/storage-error.ts'

/** What is done for each channel; throws an error that `replyTo` knows, or a bug. */
export type Handlers = {
  readonly [C in Channel]: (input: Input<C>) => Output<C> | Promise<Output<C>>
}

/** Answers one request; never rejects. */
export type Dispatch = (channel: string, raw: unknown) => Promise<Reply>

const isChannel = (name: string): name is Channel => Object.hasOwn(requests, name)

/**
 * Checks the untrusted input of a request, then calls its handler. Knows nothing of the host.
 *
 * @param log gets what an unexpected error says; the page is only told that there was one
 */
export function createDispatch(handlers: Handlers, log: (line: string) => void): Dispatch {
  return async (channel, raw) => {
    if (!isChannel(channel)) {
      const text = `channel: must be one of ${channels.join(', ')}, got ${JSON.stringify(channel)}`
      return { ok: false, code: 'bad-input', message: text }
    }
    try {
      const schema = requests[channel].input
      // JSON has no undefined: a request without an input arrives as either.
      const parsed = schema.safeParse(raw ?? null)
      if (!parsed.success) {
        const lines = issueLines(parsed.error, raw ?? null, { schema })
        return { ok: false, code: 'bad-input', message: lines.join('\n') }
      }
      return { ok: true, value: await handlePatiently(handlers, channel, parsed.data) }
    } catch (error) {
      return replyTo(error, line => {
        log(`${channel}: ${line}`)
      })
    }
  }
}

const lockedAttempts = 4
const longestPauseMs = 400

/**
 * Tries again where another process would not release the history: nothing has been changed then.
 * In between this process does its other work. The pauses differ, so that two processes that are in
 * each other's way do not stay so.
 */
async function handlePatiently(
  handlers: Handlers,
  channel: Channel,
  input: unknown,
): Promise<unknown> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await handle(handlers, channel, input)
    } catch (error) {
      const isLocked = error instanceof StorageError && error.problem === 'locked'
      if (!isLocked || attempt === lockedAttempts) throw error
      await pause(Math.random() * longestPauseMs)
    }
  }
}

/** `input` was parsed with the schema of this very channel, which the types cannot follow. */
function handle(handlers: Handlers, channel: Channel, input: unknown): unknown {
  return handlers[channel](input as never)
}

function replyTo(error: unknown, log: (line: string) => void): Reply {
  if (error instanceof ApiError || error instanceof HistoryError) {
    return { ok: false, code: error.code, message: error.message }
  }
  if (error instanceof InfeasibleError) {
    return { ok: false, code: 'infeasible', message: error.message }
  }
  if (error instanceof StorageError) {
    log(error.message)
    return { ok: false, code: 'storage', message: error.message }
  }
  log(error instanceof Error ? (error.stack ?? error.message) : String(error))
  return {
    ok: false,
    code: 'internal',
    message: 'Something went wrong inside Tessera; its log tells more.',
  }
}
