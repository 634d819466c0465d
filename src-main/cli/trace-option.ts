import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { chromeTrace } from '#shared/results/chrome-trace.ts'
import { writeWholeFile } from '#main/export/write-whole-file.ts'
import { UsageError, WorkError } from '#main/cli/usage-error.ts'
import type { EventReport, TimelineOperation } from '#shared/results/event-report.ts'
import type { Engine } from '#shared/schema/engine-field.ts'

/** What `--trace` and `--trace-tiles` ask for. */
export interface TraceRequest {
  readonly path: string
  readonly tiles: readonly number[]
}

/**
 * Checks a request for a trace before anything is simulated.
 *
 * @param tiles 'x,y' of each tile, separated by spaces; without any, the first two tiles
 * @throws UsageError for tiles that are not on the chip, or a path that cannot be written
 */
export async function traceRequest(
  path: string,
  tiles: string | undefined,
  engine: Engine,
  { x: columns, y: rows }: { readonly x: number; readonly y: number },
): Promise<TraceRequest> {
  if (engine !== 'event') {
    throw new UsageError('--trace: needs --engine event; the phase engine has no timeline of tiles')
  }
  await checkWritable(path)
  if (tiles === undefined) {
    return { path, tiles: columns * rows > 1 ? [0, 1] : [0] }
  }
  return {
    path,
    tiles: tiles
      .trim()
      .split(/\s+/)
      .map(text => tileIndex(text, columns, rows)),
  }
}

function tileIndex(text: string, columns: number, rows: number): number {
  const match = /^(\d+),(\d+)$/.exec(text)
  const x = Number(match?.[1])
  const y = Number(match?.[2])
  if (match === null || x >= columns || y >= rows) {
    throw new UsageError(
      `--trace-tiles: must be x,y with x from 0 to ${String(columns - 1)} and y from 0 to ` +
        `${String(rows - 1)}, separated by spaces; got '${text}'`,
    )
  }
  return y * columns + x
}

async function checkWritable(path: string): Promise<void> {
  try {
    const existing = await stat(path).catch(() => undefined)
    if (existing?.isDirectory() === true) throw new Error('is a directory')
    await access(existing === undefined ? dirname(resolve(path)) : path, constants.W_OK)
  } catch (error) {
    throw new UsageError(`--trace: cannot write ${path}: ${reason(error)}`)
  }
}

/**
 * @param run.clock of the chip, Hz
 * @throws WorkError where the file cannot be written after all
 */
export async function writeTrace(
  { path }: TraceRequest,
  timeline: readonly TimelineOperation[],
  event: EventReport,
  { clock, title }: { readonly clock: number; readonly title: string },
): Promise<void> {
  try {
    await writeWholeFile(path, JSON.stringify(chromeTrace(timeline, event, clock, title)))
  } catch (error) {
    throw new WorkError(`cannot write ${path}: ${reason(error)}`)
  }
}

const reason = (error: unknown): string => (error instanceof Error ? error.message : String(error))
