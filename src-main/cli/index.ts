/** Entry of the command line. */
import { endWithReader } from '#main/cli/output.ts'
import { runCommandLine } from '#main/cli/run-command-line.ts'

endWithReader()
process.exitCode = await runCommandLine(process.argv.slice(2))
