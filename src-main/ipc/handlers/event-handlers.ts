import type { Handlers } from '#main/ipc/dispatch.ts'
import type { Services } from '#main/ipc/services.ts'
import { driveSimulation } from '#main/jobs/drive-simulation.ts'
import { ApiError } from '#shared/ipc/api-error.ts'
import { MODEL_VERSION } from '#shared/model-version.ts'
import type { AttentionInput } from '#shared/schema/attention-input.ts'
import { simulateTimeline, simulateWithActivity } from '#shared/simulate/event-details.ts'
import type { Simulation } from '#shared/simulate/simulation.ts'

/** Simulations run in this process, in slices: other requests are answered in between. */
export const eventHandlers = (
  services: Services,
): Pick<Handlers, 'event:activity' | 'event:timeline'> => ({
  'event:activity': async ({ runId }) => {
    const input = inputOf(services, runId)
    const kept = services.withHistory(history => history.activities.load(runId))
    if (kept !== undefined) return kept
    refuseOldModel(services, runId)
    const { activity } = await inSlices(simulateWithActivity(input))
    if (activity === undefined) throw new Error(`run ${String(runId)}: nothing was seen over time`)
    services.withHistory(history => {
      history.activities.keep(runId, activity)
    })
    return activity
  },
  'event:timeline': async ({ runId, tiles }) => {
    const input = inputOf(services, runId)
    refuseOldModel(services, runId)
    const { x, y } = input.chip.tiles
    const outside = tiles.find(tile => tile >= x * y)
    if (outside !== undefined) {
      throw new ApiError(
        'bad-input',
        `tiles: must be from 0 to ${String(x * y - 1)}, got ${String(outside)}`,
      )
    }
    return inSlices(simulateTimeline(input, tiles))
  },
})

const inSlices = <Result>(simulation: Simulation<Result>): Promise<Result> =>
  driveSimulation(simulation, () => undefined, new AbortController().signal)

/** @throws ApiError where there is no such result, or the phase engine has made it */
function inputOf(services: Services, runId: number): AttentionInput {
  const document = services.withHistory(history => history.runDocument(runId))
  if (document === undefined) {
    throw new ApiError('not-found', `runId: there is no result of a run ${String(runId)}`)
  }
  if (document.input.kind !== 'attention' || document.input.engine !== 'event') {
    throw new ApiError(
      'bad-input',
      `runId: must be a kernel that the event engine has run; run ${String(runId)} is none`,
    )
  }
  return document.input
}

/** Another model would show what the result was not made from. */
function refuseOldModel(services: Services, runId: number): void {
  const version = services.withHistory(history => history.runDocument(runId))?.modelVersion
  if (version === MODEL_VERSION) return
  throw new ApiError(
    'bad-input',
    `run ${String(runId)} was made by model ${String(version)}, this is ${MODEL_VERSION}: ` +
      'run it again to see its tiles and links',
  )
}
