import { InvalidArgumentError } from 'commander'

/** Parses the RUN arguments of a command, one at a time. @throws InvalidArgumentError */
export function collectId(text: string, previous: readonly number[] = []): number[] {
  const id = /^\d{1,15}$/.test(text) ? Number(text) : 0
  if (id < 1) {
    throw new InvalidArgumentError('A run is a whole number from 1; see "tessera runs list".')
  }
  return previous.includes(id) ? [...previous] : [...previous, id]
}
