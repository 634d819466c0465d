/** Entry of the command line. */
import { endingFor } from '#main/cli/exit-status.ts'
import { endWithReader, note } from '#main/cli/output.ts'
import { createProgram } from '#main/cli/program.ts'

endWithReader()
try {
  await createProgram().parseAsync()
} catch (error) {
  const { status, message } = endingFor(error)
  if (message !== undefined) note(`tessera: ${message}`)
  process.exitCode = status
}
