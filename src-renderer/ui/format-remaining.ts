/** A time still to wait, as roughly as it is known: `3 s`, `2 min`, `1 h 20 min`. */
export function formatRemaining(seconds: number): string {
  if (seconds < 59.5) return `${String(Math.max(1, Math.round(seconds)))} s`
  const minutes = Math.round(seconds / 60)
  if (minutes < 60) return `${String(minutes)} min`
  const rest = minutes % 60
  return `${String(Math.floor(minutes / 60))} h${rest === 0 ? '' : ` ${String(rest)} min`}`
}
