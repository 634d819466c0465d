/** Closes a switch over a union: a case that was forgotten no longer compiles. */
export function assertNever(value: never): never {
  throw new Error(`unexpected case: ${JSON.stringify(value)}`)
}
