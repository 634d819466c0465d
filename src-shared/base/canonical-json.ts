/**
 * JSON text in which the keys of every object are sorted and undefined members are left out,
 * so that two structurally equal values give the same text (and the same hash).
 *
 * @throws TypeError on a number that is not finite: it has no JSON form
 */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(sorted(value))
}

function sorted(value: unknown): unknown {
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw new TypeError(`not a JSON number: ${String(value)}`)
  }
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([key, member]) => [key, sorted(member)]))
}
