/** Bad arguments or bad input: the command line ends with status 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** The work could not be done, and the message is all that a person needs: status 1. */
export class WorkError extends Error {
  override readonly name = 'WorkError'
}
