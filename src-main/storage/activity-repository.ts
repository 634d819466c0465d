import { gunzipSync, gzipSync } from 'node:zlib'
import type { Database } from 'better-sqlite3'
import type { EventActivity } from '#shared/results/event-activity.ts'

/** What runs of the event engine did over time: a compressed document beside each of them. */
export interface ActivityRepository {
  load(runId: number): EventActivity | undefined
  /** Keeps it for a run that exists; what is there already stays. */
  keep(runId: number, activity: EventActivity): void
}

export function createActivityRepository(db: Database): ActivityRepository {
  const select = db.prepare<[number], { content: Buffer }>(
    'SELECT content FROM run_activity WHERE run_id = ?',
  )
  const insert = db.prepare<[Buffer, number]>(
    `INSERT INTO run_activity (run_id, content)
     SELECT id, ? FROM run WHERE id = ? ON CONFLICT (run_id) DO NOTHING`,
  )
  return {
    load(runId) {
      const row = select.get(runId)
      return row && (JSON.parse(gunzipSync(row.content).toString()) as EventActivity)
    },
    keep(runId, activity) {
      insert.run(gzipSync(JSON.stringify(activity)), runId)
    },
  }
}
