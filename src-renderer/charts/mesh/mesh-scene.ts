import { RAMP_STEPS, rampStep } from '#renderer/charts/load-ramp.ts'
import type { MeshScale, MeshValues } from '#renderer/charts/mesh/mesh-values.ts'

/** Channels behind each edge, in the order in which channels are numbered. */
export interface EdgeChannels {
  readonly west: number
  readonly north: number
  readonly east: number
  readonly south: number
}

/** Where everything is, in pixels of the drawing; tile 0 is at the bottom left. */
export interface MeshLayout {
  readonly columns: number
  readonly rows: number
  readonly cell: number
  readonly left: number
  readonly top: number
}

export interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** Side of a tile, of its cell. */
const TILE = 0.62

/** Fits a mesh with its channels into a drawing. */
export function meshLayout(
  columns: number,
  rows: number,
  width: number,
  height: number,
): MeshLayout {
  const cell = Math.max(2, Math.min(width / (columns + 2), height / (rows + 2)))
  return {
    columns,
    rows,
    cell,
    left: (width - cell * columns) / 2,
    top: (height - cell * rows) / 2,
  }
}

export function tileBox({ columns, rows, cell, left, top }: MeshLayout, tile: number): Box {
  const side = cell * TILE
  const gap = (cell - side) / 2
  const row = Math.floor(tile / columns)
  return {
    x: left + (tile % columns) * cell + gap,
    y: top + (rows - 1 - row) * cell + gap,
    width: side,
    height: side,
  }
}

/** The tile whose cell a point is in. */
export function tileAt(layout: MeshLayout, x: number, y: number): number | undefined {
  const column = Math.floor((x - layout.left) / layout.cell)
  const row = layout.rows - 1 - Math.floor((y - layout.top) / layout.cell)
  const isInside = column >= 0 && column < layout.columns && row >= 0 && row < layout.rows
  return isInside ? row * layout.columns + column : undefined
}

/** One direction of a link: opposite directions lie side by side between two tiles. */
function linkBox({ cell }: MeshLayout, tile: Box, direction: number): Box {
  const gap = cell - tile.width
  const wide = Math.max(1, cell * 0.16)
  const middle = tile.width / 2
  switch (direction) {
    case 0:
      return { x: tile.x + tile.width, y: tile.y + middle - wide, width: gap, height: wide }
    case 1:
      return { x: tile.x - gap, y: tile.y + middle, width: gap, height: wide }
    case 2:
      return { x: tile.x + middle - wide, y: tile.y - gap, width: wide, height: gap }
    default:
      return { x: tile.x + middle, y: tile.y + tile.height, width: wide, height: gap }
  }
}

/** The channels along the edges, each as long as its part of the edge. */
export function channelBoxes(layout: MeshLayout, edges: EdgeChannels): Box[] {
  const { cell, left, top, columns, rows } = layout
  const thick = cell * 0.4
  const wide = columns * cell
  const high = rows * cell
  const along = (count: number, length: number, box: (from: number, part: number) => Box) =>
    Array.from({ length: count }, (_, index) => box((index * length) / count, length / count - 1))
  const upright = (x: number) => (from: number, part: number) => ({
    x,
    y: top + high - from - part,
    width: thick,
    height: Math.max(1, part),
  })
  const flat = (y: number) => (from: number, part: number) => ({
    x: left + from,
    y,
    width: Math.max(1, part),
    height: thick,
  })
  const out = cell * 0.3
  return [
    ...along(edges.west, high, upright(left - out - thick)),
    ...along(edges.north, wide, flat(top - out - thick)),
    ...along(edges.east, high, upright(left + wide + out)),
    ...along(edges.south, wide, flat(top + high + out)),
  ]
}

/** Boxes by the step of the ramp that fills them. */
export function meshBoxes(
  layout: MeshLayout,
  values: MeshValues,
  scale: MeshScale,
  edges: EdgeChannels,
): readonly (readonly Box[])[] {
  const steps: Box[][] = Array.from({ length: RAMP_STEPS }, () => [])
  const put = (load: number, box: Box) => steps[rampStep(load)]?.push(box)
  const part = (value: number, most: number) => (most > 0 ? value / most : 0)
  values.tiles.forEach((load, tile) => {
    const box = tileBox(layout, tile)
    put(load, box)
    for (let direction = 0; direction < 4; direction++) {
      const bytes = values.links[5 * tile + direction] ?? 0
      put(part(bytes, scale.links), linkBox(layout, box, direction))
    }
  })
  channelBoxes(layout, edges).forEach((box, channel) => {
    put(part(values.channels[channel] ?? 0, scale.channels), box)
  })
  return steps
}

/** Paints boxes, all of one colour together: as few changes of colour as there are steps. */
export function paintMesh(
  context: Pick<CanvasRenderingContext2D, 'fillStyle' | 'fillRect'>,
  steps: readonly (readonly Box[])[],
  colors: readonly string[],
): void {
  steps.forEach((boxes, step) => {
    context.fillStyle = colors[step] ?? '#000'
    for (const { x, y, width, height } of boxes) context.fillRect(x, y, width, height)
  })
}
