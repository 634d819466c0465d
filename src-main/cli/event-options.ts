import type { Command } from 'commander'
import { engineOption } from '#main/cli/engine-option.ts'
import { traceRequest, writeTrace } from '#main/cli/trace-option.ts'
import { UsageError } from '#main/cli/usage-error.ts'
import type { EventReport } from '#shared/results/event-report.ts'
import type { Engine } from '#shared/schema/engine-field.ts'
import type { EventRun, EventWatch } from '#shared/simulate/event-run.ts'

/** What `--trace`, `--trace-tiles`, `--activity` and `--json` say. */
export interface EventOptions {
  readonly trace?: string
  readonly traceTiles?: string
  readonly activity?: true
  readonly json?: true
}

/** What the options need to know of an input. */
export interface EventInput {
  readonly engine: Engine
  readonly chip: {
    readonly name: string
    readonly clockGHz: number
    readonly tiles: { readonly x: number; readonly y: number }
  }
}

/** What is to be watched, and what is to be done with it when the run is through. */
export interface EventObserver {
  readonly watch: EventWatch
  /** Whether a file has to be written, for which a run in the history would not do. */
  readonly needsRun: boolean
  /**
   * Writes the trace where one was asked for.
   *
   * @param title of the run, without the chip
   * @throws WorkError where the file cannot be written after all
   */
  readonly finish: (run: EventRun<{ readonly event?: EventReport }>, title: string) => Promise<void>
}

/** Adds the options of the event engine to a command. */
export const addEventOptions = (command: Command): Command =>
  command
    .addOption(engineOption())
    .option('--trace <file>', 'write a timeline as Chrome Trace JSON; event engine')
    .option('--trace-tiles <x,y ...>', 'tiles of the timeline; the first two where left out')
    .option(
      '--activity',
      'add links, channels and tiles over time to the JSON document; event engine',
    )

/**
 * Checks what is asked for before anything is simulated.
 *
 * @throws UsageError for options that do not fit the engine or each other, for tiles that are not on
 *   the chip, or a path that cannot be written
 */
export async function observeEvents(
  { trace: path, traceTiles, activity, json }: EventOptions,
  { engine, chip }: EventInput,
): Promise<EventObserver> {
  if (path === undefined && traceTiles !== undefined) {
    throw new UsageError('--trace-tiles: needs --trace, the file to write')
  }
  if (activity === true && engine !== 'event') {
    throw new UsageError(
      '--activity: needs --engine event; the phase engine sees nothing over time',
    )
  }
  if (activity === true && json !== true) {
    throw new UsageError('--activity: needs --json; the text has no values over time')
  }
  const trace =
    path === undefined ? undefined : await traceRequest(path, traceTiles, engine, chip.tiles)
  return {
    watch: { timelineTiles: trace?.tiles ?? [], activity: activity === true },
    needsRun: trace !== undefined || activity === true,
    finish: async ({ document, timeline }, title) => {
      if (trace === undefined || document.event === undefined) return
      await writeTrace(trace, timeline, document.event, {
        clock: chip.clockGHz * 1e9,
        title: `${title}, ${chip.name}`,
      })
    },
  }
}
