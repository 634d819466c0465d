import { onTestFinished } from 'vitest'
import type { Input, Output, Run } from '#shared/ipc/contract.ts'
import type { Channel } from '#shared/ipc/channels.ts'
import type { JobEvent } from '#shared/ipc/job-event.ts'
import { createCore, type Core, type CoreOptions } from '#main/core/create-core.ts'
import type { CoreEvent } from '#main/core/event-hub.ts'
import { kernelExperiment } from '#test/support/kernel-experiment.ts'
import { launchStandInWorker } from '#test/support/main-launch.ts'
import { temporaryDirectory } from '#test/support/main-temporary-directory.ts'

export interface TestCore {
  readonly core: Core
  readonly directory: string
  readonly events: CoreEvent[]
  readonly lines: string[]
  /** Sends a request that must succeed. */
  readonly ask: <C extends Channel>(channel: C, input: Input<C>) => Promise<Output<C>>
  /** Resolves once the run has had this event, past or to come. */
  readonly until: (kind: JobEvent['kind'], runId: number) => Promise<JobEvent>
  readonly getRun: (experimentId: number, index?: number) => Promise<Run>
}

/** A core with stand-in workers, in a directory of its own unless one is given. */
export function openTestCore(options: Partial<CoreOptions> = {}): TestCore {
  const directory = options.dataDirectory ?? temporaryDirectory()
  const events: CoreEvent[] = []
  const lines: string[] = []
  const waiters = new Set<() => void>()
  const core = createCore({
    host: 'browser',
    appVersion: '1.2.3',
    launchWorker: launchStandInWorker,
    maxWorkers: 1,
    busyTimeoutMs: 200,
    printReport: () => Promise.resolve({ kind: 'cancelled' }),
    log: line => lines.push(line),
    ...options,
    dataDirectory: directory,
  })
  onTestFinished(() => core.close())
  core.subscribe(event => {
    events.push(event)
    for (const look of [...waiters]) look()
  })

  async function ask<C extends Channel>(channel: C, input: Input<C>): Promise<Output<C>> {
    const reply = await core.dispatch(channel, input)
    if (!reply.ok) throw new Error(`${channel}: ${reply.code}: ${reply.message}`)
    return reply.value as Output<C>
  }

  return {
    core,
    directory,
    events,
    lines,
    ask,
    until: (kind, runId) =>
      new Promise(resolve => {
        const look = () => {
          for (const event of events) {
            if (event.type !== 'job:event') continue
            if (event.payload.kind !== kind || event.payload.runId !== runId) continue
            waiters.delete(look)
            resolve(event.payload)
          }
        }
        waiters.add(look)
        look()
      }),
    getRun: async (experimentId, index = 0) => {
      const experiment = kernelExperiment(await ask('experiment:get', { id: experimentId }))
      const run = experiment.runs[index]
      if (run === undefined) throw new Error(`there is no run at ${String(index)}`)
      return run
    },
  }
}
