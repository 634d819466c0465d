/** A moment in the person's own time zone, sortable: 2026-11-30 19:05. */
export function formatMoment(epochMs: number): string {
  const moment = new Date(epochMs)
  const twoDigits = (value: number): string => String(value).padStart(2, '0')
  const date = [moment.getFullYear(), moment.getMonth() + 1, moment.getDate()].map(twoDigits)
  return `${date.join('-')} ${twoDigits(moment.getHours())}:${twoDigits(moment.getMinutes())}`
}
