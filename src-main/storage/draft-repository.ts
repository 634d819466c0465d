import type { Database } from 'better-sqlite3'
import { draftDepth, type DraftKey, type KeepDraft, type KeptDraft } from '#shared/ipc/draft.ts'

export interface DraftRepository {
  /**
   * The draft of a window. One that has none yet takes over the newest of the others, with its
   * steps: after a crash, or in another window, the work goes on where it was.
   */
  load(key: DraftKey): KeptDraft | undefined
  keep(change: KeepDraft): void
}

/** Drafts of windows that are long gone are dropped: so many are kept for each page. */
const keptSessions = 8

export function createDraftRepository(db: Database, now: () => number): DraftRepository {
  const select = db.prepare<DraftKey, { position: number; saved_json: string | null }>(
    'SELECT position, saved_json FROM draft WHERE page = @page AND session = @session',
  )
  const selectStates = db.prepare<DraftKey, { position: number; state_json: string }>(
    `SELECT position, state_json FROM draft_state
     WHERE page = @page AND session = @session ORDER BY position`,
  )
  const selectNewest = db.prepare<[string], { session: string }>(
    'SELECT session FROM draft WHERE page = ? ORDER BY changed_at_ms DESC, session LIMIT 1',
  )
  const copyDraft = db.prepare<DraftKey & { from: string; nowMs: number }>(
    `INSERT INTO draft SELECT page, @session, position, saved_json, @nowMs FROM draft
     WHERE page = @page AND session = @from`,
  )
  const copyStates = db.prepare<DraftKey & { from: string; nowMs: number }>(
    `INSERT INTO draft_state SELECT page, @session, position, state_json FROM draft_state
     WHERE page = @page AND session = @from`,
  )
  const upsert = db.prepare<
    DraftKey & { position: number; savedJson: string | null; nowMs: number }
  >(
    `INSERT INTO draft VALUES (@page, @session, @position, @savedJson, @nowMs)
     ON CONFLICT DO UPDATE SET position = @position, changed_at_ms = @nowMs,
       saved_json = coalesce(@savedJson, saved_json)`,
  )
  const deleteStates = db.prepare<DraftKey & { position: number; depth: number }>(
    `DELETE FROM draft_state WHERE page = @page AND session = @session
       AND (position >= @position OR position < @position - @depth)`,
  )
  const insertState = db.prepare<DraftKey & { position: number; stateJson: string }>(
    'INSERT INTO draft_state VALUES (@page, @session, @position, @stateJson)',
  )
  const dropOld = db.prepare<{ page: string; kept: number }>(
    `DELETE FROM draft WHERE page = @page AND session NOT IN
       (SELECT session FROM draft WHERE page = @page
        ORDER BY changed_at_ms DESC, session LIMIT @kept)`,
  )

  function takeOver(key: DraftKey): void {
    const newest = selectNewest.get(key.page)
    if (newest === undefined) return
    const copy = { ...key, from: newest.session, nowMs: now() }
    copyDraft.run(copy)
    copyStates.run(copy)
    dropOld.run({ page: key.page, kept: keptSessions })
  }

  function read(key: DraftKey): KeptDraft | undefined {
    const draft = select.get(key)
    const states = selectStates.all(key)
    const first = states[0]?.position
    if (draft === undefined || first === undefined) return undefined
    return {
      position: draft.position,
      first,
      states: states.map(({ state_json }) => JSON.parse(state_json) as unknown),
      saved: JSON.parse(draft.saved_json ?? 'null') as unknown,
    }
  }

  return {
    load: key =>
      db
        .transaction(() => {
          if (select.get(key) === undefined) takeOver(key)
          return read(key)
        })
        .immediate(),
    keep({ page, session, position, state, saved }) {
      const key = { page, session }
      db.transaction(() => {
        const savedJson = saved === undefined ? null : JSON.stringify(saved)
        upsert.run({ ...key, position, savedJson, nowMs: now() })
        if (state === undefined) return
        deleteStates.run({ ...key, position, depth: draftDepth })
        insertState.run({ ...key, position, stateJson: JSON.stringify(state) })
      }).immediate()
    },
  }
}
