import type { Wafer } from '#shared/hardware/wafer.ts'

/** A rectangle of chips that share the experts of a layer; member i is chip `chips[i]`. */
export interface ChipGroup {
  readonly columns: number
  readonly rows: number
  /** Places in the system, row by row of the group. */
  readonly chips: readonly number[]
}

type Grid = Pick<Wafer, 'columns' | 'rows'>

/**
 * The grid cut into equal rectangles of `size` chips: one for each pipeline stage.
 *
 * Of the rectangles that tile the grid, the one nearest to a square is taken, and of two the wider
 * one: 2 × 1, 2 × 2, 4 × 2, 4 × 4, 8 × 4, 8 × 8 on a grid of 8 × 8, as in the published experiments.
 * Groups follow one another along the rows, every second row of them backwards, so that each is
 * beside the next. Routes inside a rectangle never leave it, so groups do not disturb each other.
 *
 * Source: placement of the public planner of arXiv 2604.02110.
 * Checked by: test/src-shared/models/wafer/chip-groups.test.ts
 *
 * @returns null where no rectangle of that size tiles the grid; see groupSizes
 */
export function chipGroups(size: number, grid: Grid): ChipGroup[] | null {
  const shape = shapeOf(size, grid)
  if (shape === undefined) return null
  const across = grid.columns / shape.columns
  const down = grid.rows / shape.rows
  const groups: ChipGroup[] = []
  for (let y = 0; y < down; y++) {
    for (let step = 0; step < across; step++) {
      const x = y % 2 === 0 ? step : across - 1 - step
      const corner = x * shape.columns + y * shape.rows * grid.columns
      const chips = Array.from(
        { length: size },
        (_, member) =>
          corner + (member % shape.columns) + Math.floor(member / shape.columns) * grid.columns,
      )
      groups.push({ ...shape, chips })
    }
  }
  return groups
}

/** The sizes of group that a grid can be cut into, smallest first. */
export const groupSizes = (grid: Grid): number[] =>
  [
    ...new Set(
      divisorsOf(grid.columns).flatMap(columns =>
        divisorsOf(grid.rows).map(rows => columns * rows),
      ),
    ),
  ].toSorted((a, b) => a - b)

function shapeOf(size: number, grid: Grid): Pick<ChipGroup, 'columns' | 'rows'> | undefined {
  const shapes = divisorsOf(grid.columns)
    .map(columns => ({ columns, rows: size / columns }))
    .filter(({ rows }) => Number.isInteger(rows) && grid.rows % rows === 0)
  const longer = ({ columns, rows }: Pick<ChipGroup, 'columns' | 'rows'>) => Math.max(columns, rows)
  return shapes.toSorted((a, b) => longer(a) - longer(b) || b.columns - a.columns)[0]
}

const divisorsOf = (size: number): number[] =>
  Array.from({ length: size }, (_, index) => index + 1).filter(divisor => size % divisor === 0)
