import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  keptValidationSchema,
  validationMessageSchema,
  type KeptValidation,
  type ValidationRequest,
  type ValidationStatus,
} from '#shared/ipc/validation.ts'
import type { Engine } from '#shared/schema/engine-field.ts'
import type { EventHub } from '#main/core/event-hub.ts'
import { writeWholeFile } from '#main/export/write-whole-file.ts'
import type { WorkerEndpoint } from '#main/jobs/endpoint.ts'

export interface ValidationService {
  get(engine: Engine): {
    readonly status: ValidationStatus
    readonly kept: KeptValidation | null
  }
  /** Compares in a worker of its own; does nothing where that is under way. */
  start(engine: Engine): void
  /** Ends the worker; what was compared before stays. */
  cancel(engine: Engine): void
  /** Ends all workers. */
  close(): Promise<void>
}

interface Options {
  /** Where the last comparison of each engine is kept, in a file. */
  readonly dataDirectory: string
  readonly launchWorker: () => WorkerEndpoint
  readonly events: Pick<EventHub, 'emit'>
  readonly now: () => number
  readonly log: (line: string) => void
}

/** Compares the models with published numbers, one worker for each engine, and keeps what it found. */
export function createValidationService(options: Options): ValidationService {
  const { dataDirectory, launchWorker, events, now, log } = options
  const statuses = new Map<Engine, ValidationStatus>()
  const workers = new Map<Engine, WorkerEndpoint>()
  const kept = new Map<Engine, KeptValidation>()
  let writing = Promise.resolve()
  const onAllGone: (() => void)[] = []
  const fileOf = (engine: Engine): string => join(dataDirectory, `validation-${engine}.json`)

  function set(engine: Engine, status: ValidationStatus): void {
    statuses.set(engine, status)
    events.emit({ type: 'validation:changed', payload: { engine, status } })
  }

  function keep(engine: Engine, result: KeptValidation): void {
    kept.set(engine, result)
    writing = writing
      .then(() => writeWholeFile(fileOf(engine), JSON.stringify(result)))
      .catch((error: unknown) => {
        log(`the comparison is not kept: ${error instanceof Error ? error.message : String(error)}`)
      })
  }

  function hear(engine: Engine, startedAtMs: number, raw: unknown): void {
    const message = validationMessageSchema.parse(raw)
    switch (message.kind) {
      case 'validating':
        set(engine, { kind: 'running', startedAtMs, progress: message.progress })
        return
      case 'validated':
        keep(engine, {
          validation: message.validation,
          ranAtMs: now(),
          elapsedMs: message.elapsedMs,
        })
        end(engine, { kind: 'idle' })
        return
      case 'validation-failed':
        end(engine, { kind: 'failed', message: message.message })
    }
  }

  /** The worker has done its work, or is to stop. */
  function end(engine: Engine, status: ValidationStatus): void {
    const worker = workers.get(engine)
    if (worker === undefined) return
    set(engine, status)
    worker.kill()
  }

  return {
    get: engine => ({
      status: statuses.get(engine) ?? { kind: 'idle' },
      kept: kept.get(engine) ?? readKept(fileOf(engine)) ?? null,
    }),
    start(engine) {
      if (workers.has(engine)) return
      const startedAtMs = now()
      const worker = launchWorker()
      workers.set(engine, worker)
      set(engine, { kind: 'running', startedAtMs, progress: null })
      worker.onMessage(raw => {
        if (workers.get(engine) === worker) hear(engine, startedAtMs, raw)
      })
      worker.onExit(({ detail }) => {
        workers.delete(engine)
        if (statuses.get(engine)?.kind === 'running') {
          const reason = detail.trim() === '' ? '' : `: ${detail.trim()}`
          set(engine, { kind: 'failed', message: `the worker process ended early${reason}` })
        }
        if (workers.size === 0) for (const resolve of onAllGone.splice(0)) resolve()
      })
      worker.send({ kind: 'validate', engine } satisfies ValidationRequest)
    },
    cancel(engine) {
      end(engine, { kind: 'idle' })
    },
    async close() {
      for (const engine of workers.keys()) end(engine, { kind: 'idle' })
      if (workers.size > 0) {
        await new Promise<void>(resolve => {
          onAllGone.push(resolve)
        })
      }
      await writing
    },
  }
}

/** What an earlier start of Tessera found; undefined where there is nothing that can be read. */
function readKept(file: string): KeptValidation | undefined {
  try {
    return keptValidationSchema.safeParse(JSON.parse(readFileSync(file, 'utf8'))).data
  } catch {
    return undefined
  }
}
