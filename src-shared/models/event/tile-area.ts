/** Tiles that take part in a hardware collective: a rectangle of the mesh, or a grid in one. */
export interface TileArea {
  readonly x: number
  readonly y: number
  readonly columns: number
  readonly rows: number
  /** Every how many columns and rows there is a tile that takes part; 1 where it is not said. */
  readonly columnStep?: number
  readonly rowStep?: number
}

/** Last column and row of an area. */
export const farCorner = (area: TileArea): { readonly x: number; readonly y: number } => ({
  x: area.x + (area.columns - 1) * (area.columnStep ?? 1),
  y: area.y + (area.rows - 1) * (area.rowStep ?? 1),
})

/** Tiles from one corner of an area to the other along rows and columns: those of a line. */
export function spanOf(area: TileArea): number {
  const far = farCorner(area)
  return far.x - area.x + far.y - area.y + 1
}
