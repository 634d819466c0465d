import os from 'node:os'
import process from 'node:process'
import type { Database } from 'better-sqlite3'

export type HostKind = 'desktop' | 'browser' | 'cli'

/** A process that owns runs. */
interface HostRow {
  readonly id: number
  readonly machine: string
  readonly pid: number
  readonly heartbeat_at_ms: number
}

export interface HostRepositoryOptions {
  readonly kind: HostKind
  readonly now: () => number
  readonly machine?: string
  readonly pid?: number
  readonly isProcessAlive?: (pid: number) => boolean
}

export interface HostRepository {
  /** The row of this process; it is made when it is first asked for. */
  ownId(): number
  /** The row of this process, if there is one already. */
  knownId(): number | null
  /**
   * Tells the others that this process lives; to be called every few seconds.
   *
   * @returns whether one of them had taken it for dead, as after a long sleep
   */
  beat(): boolean
  /** Hosts whose process is gone, or has been silent for a minute. */
  dead(): number[]
  /** The process behind a host row. */
  pidOf(id: number): number | undefined
  remove(ids: readonly number[]): void
}

/** A host that has been silent for longer is taken for dead, in ms. */
const silenceMs = 60_000

export function createHostRepository(db: Database, options: HostRepositoryOptions): HostRepository {
  const { kind, now, isProcessAlive = processIsAlive } = options
  const { machine = os.hostname(), pid = process.pid } = options
  const insert = db.prepare<[string, string, number, number, number]>(
    `INSERT INTO host (kind, machine, pid, started_at_ms, heartbeat_at_ms) VALUES (?, ?, ?, ?, ?)`,
  )
  const revive = db.prepare<[number, string, string, number, number, number]>(
    `INSERT INTO host (id, kind, machine, pid, started_at_ms, heartbeat_at_ms)
     VALUES (?, ?, ?, ?, ?, ?)`,
  )
  const beat = db.prepare<[number, number]>('UPDATE host SET heartbeat_at_ms = ? WHERE id = ?')
  const others = db.prepare<[number], HostRow>(
    'SELECT id, machine, pid, heartbeat_at_ms FROM host WHERE id <> ?',
  )
  const pidOf = db.prepare<[number], { pid: number }>('SELECT pid FROM host WHERE id = ?')
  const remove = db.prepare<[number]>('DELETE FROM host WHERE id = ?')
  const startedAtMs = now()
  let ownId: number | undefined

  const isDead = (host: HostRow): boolean =>
    now() - host.heartbeat_at_ms > silenceMs ||
    // A process id says nothing about a process of another machine or container.
    (host.machine === machine && !isProcessAlive(host.pid))

  return {
    ownId() {
      ownId ??= Number(insert.run(kind, machine, pid, startedAtMs, now()).lastInsertRowid)
      return ownId
    },
    knownId: () => ownId ?? null,
    beat() {
      if (ownId === undefined || beat.run(now(), ownId).changes > 0) return false
      revive.run(ownId, kind, machine, pid, startedAtMs, now())
      return true
    },
    dead: () =>
      others
        .all(ownId ?? 0)
        .filter(isDead)
        .map(({ id }) => id),
    pidOf: id => pidOf.get(id)?.pid,
    remove(ids) {
      for (const id of ids) remove.run(id)
    },
  }
}

function processIsAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // It lives, but belongs to somebody else.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
