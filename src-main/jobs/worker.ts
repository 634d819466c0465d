/**
 * Entry of a worker process: simulates what it is told to, and never opens the database.
 *
 * TESSERA_WORKER_STEP_DELAY_MS, for tests, makes each step of a simulation last at least so many
 * milliseconds.
 */
import process from 'node:process'
import { simulateWithActivity } from '#shared/simulate/event-details.ts'
import { runValidation } from '#shared/validation/validate.ts'
import { answerValidation } from '#main/jobs/answer-validation.ts'
import { connectParent } from '#main/jobs/parent-endpoint.ts'
import { serveWorker } from '#main/jobs/serve-worker.ts'
import { parseStepDelay, slowSimulation } from '#main/jobs/slow-simulation.ts'

const stepDelayMs = parseStepDelay(process.env.TESSERA_WORKER_STEP_DELAY_MS)

const parent = connectParent()
serveWorker(
  parent,
  input => slowSimulation(simulateWithActivity(input), stepDelayMs),
  answerValidation(parent, engine => slowSimulation(runValidation([engine]), stepDelayMs)),
)
