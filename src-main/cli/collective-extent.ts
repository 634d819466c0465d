import { UsageError } from '#main/cli/usage-error.ts'

export const collectiveAxes = ['row', 'column', 'group'] as const

export type CollectiveAxis = (typeof collectiveAxes)[number]

/**
 * The tiles that `--participants` and `--axis` ask for: a number along a row or a column, or
 * columns x rows of a group.
 *
 * @throws UsageError on anything else
 */
export function collectiveExtent(
  participants: string,
  axis: CollectiveAxis,
): { readonly columns: number; readonly rows: number } {
  if (axis === 'group') {
    const match = /^(\d{1,9})x(\d{1,9})$/.exec(participants)
    if (match !== null) return { columns: Number(match[1]), rows: Number(match[2]) }
    throw new UsageError(
      `--participants ${participants}: with --axis group must be columns x rows of tiles, such as 8x4`,
    )
  }
  if (!/^\d{1,9}$/.test(participants)) {
    throw new UsageError(
      `--participants ${participants}: with --axis ${axis} must be a whole number of tiles, such as 32`,
    )
  }
  const tiles = Number(participants)
  return axis === 'row' ? { columns: tiles, rows: 1 } : { columns: 1, rows: tiles }
}
