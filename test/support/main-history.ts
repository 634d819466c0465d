import type { Database } from 'better-sqlite3'
import { onTestFinished } from 'vitest'
import type { ExperimentSpec } from '#shared/schema/attention-input.ts'
import { createHistory, type History } from '#main/storage/history.ts'
import {
  createHostRepository,
  type HostRepository,
  type HostRepositoryOptions,
} from '#main/storage/host-repository.ts'
import { openDatabase } from '#main/storage/open-database.ts'
import { makeDocument } from '#test/support/main-inputs.ts'
import { temporaryDirectory } from '#test/support/main-temporary-directory.ts'

export interface TestHistory {
  readonly history: History
  readonly hosts: HostRepository
  readonly db: Database
  readonly directory: string
  /** Lets time pass, in ms. */
  readonly wait: (ms: number) => void
}

/** A history in a directory of its own, or in one that is shared; its clock begins at 1,000,000. */
export function openTestHistory(
  directory = temporaryDirectory(),
  hostOptions: Partial<HostRepositoryOptions> = {},
): TestHistory {
  let nowMs = 1_000_000
  const now = () => nowMs
  const db = openDatabase(directory)
  onTestFinished(() => {
    db.close()
  })
  const hosts = createHostRepository(db, { kind: 'browser', now, ...hostOptions })
  return {
    history: createHistory(db, hosts, now),
    hosts,
    db,
    directory,
    wait: ms => {
      nowMs += ms
    },
  }
}

/** Does what the job queue would: every queued run is started and done. */
export function startAndFinish(history: History, spec: ExperimentSpec, again = false): number {
  const { experimentId, queued } = history.start(spec, again)
  for (const { runId, input } of queued) {
    history.runStarted(runId)
    const document = makeDocument({ ...spec, dataflows: [input.dataflow] })
    history.runEnded(runId, { status: 'done', document, elapsedMs: 5 })
  }
  return experimentId
}

export const countRows = (db: Database, table: string): unknown =>
  db.prepare(`SELECT count(*) FROM ${table}`).pluck().get()
