import { endingFor } from '#main/cli/exit-status.ts'
import { createOutput, processStreams, type Streams } from '#main/cli/output.ts'
import { createProgram } from '#main/cli/program.ts'

/**
 * Runs one command.
 *
 * @param args what stands after `tessera`
 * @returns the exit status: 0 done, 1 the work failed, 2 bad arguments or bad input
 */
export async function runCommandLine(
  args: readonly string[],
  streams: Streams = processStreams,
): Promise<number> {
  try {
    await createProgram(streams).parseAsync([...args], { from: 'user' })
    return 0
  } catch (error) {
    const { status, message } = endingFor(error)
    if (message !== undefined) createOutput(streams).note(`tessera: ${message}`)
    return status
  }
}
