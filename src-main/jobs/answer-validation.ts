import {
  validationRequestSchema,
  type ValidationMessage,
  type ValidationRequest,
} from '#shared/ipc/validation.ts'
import type { Simulation } from '#shared/simulate/simulation.ts'
import type { Validation } from '#shared/validation/validate.ts'
import { driveSimulation } from '#main/jobs/drive-simulation.ts'
import type { ParentEndpoint } from '#main/jobs/endpoint.ts'

/**
 * Answers a request to compare the models with published numbers. There is no message to stop it:
 * the process is ended instead, since it has nothing else to do.
 *
 * @returns takes a message, and says whether it was such a request
 */
export function answerValidation(
  parent: Pick<ParentEndpoint, 'send'>,
  simulate: (engine: ValidationRequest['engine']) => Simulation<Validation>,
): (raw: unknown) => boolean {
  const tell = (message: ValidationMessage): void => {
    parent.send(message)
  }

  async function run(engine: ValidationRequest['engine']): Promise<void> {
    const startMs = performance.now()
    try {
      const validation = await driveSimulation(
        simulate(engine),
        progress => {
          tell({ kind: 'validating', progress })
        },
        new AbortController().signal,
        0,
      )
      tell({ kind: 'validated', validation, elapsedMs: performance.now() - startMs })
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      tell({ kind: 'validation-failed', message: `the comparison failed: ${message}` })
    }
  }

  return raw => {
    const request = validationRequestSchema.safeParse(raw)
    if (request.success) void run(request.data.engine)
    return request.success
  }
}
