import { chipCount, type D2dTopology, type Wafer } from '#shared/hardware/wafer.ts'

/** One direction between two routers. */
export interface RouterLink {
  readonly from: number
  readonly to: number
}

/** Routers, links and routes. Router c belongs to chip c = x + columns · y; a switch comes last. */
export interface Topology {
  readonly chips: number
  readonly routers: number
  readonly links: readonly RouterLink[]
  /** [router · chips + destination]: the link to take, −1 at the destination. */
  readonly nextLink: Int32Array
}

type Grid = Pick<Wafer, 'columns' | 'rows'>

/**
 * The routers of a system and which link leads on from where.
 *
 *   mesh                 links between neighbours; along x first, then along y
 *   torus                also between the ends of each row and column; the shorter way round
 *   flattened-butterfly  a link between every two chips of a row or a column; x, then y
 *   switch               a link from each chip to one central switch, and one back
 *
 * Every link has the same bandwidth and latency, however long it is; a torus of two chips on a side
 * is a mesh. Where both ways round are as long, chips on even places go up and the others down.
 *
 * Source: dimension-order routing of arXiv 2604.02110 (mesh); Kim, Dally, Abts, "Flattened
 *   butterfly: a cost-efficient topology for high-radix networks", ISCA 2007; Dally, Towles,
 *   "Principles and practices of interconnection networks", 2004, chapters 5 and 8.
 * Holds when: routing is deterministic and minimal.
 * Checked by: test/src-shared/models/wafer/topology.test.ts
 */
export function topologyOf(topology: D2dTopology, grid: Grid): Topology {
  const chips = chipCount(grid)
  const routers = topology === 'switch' ? chips + 1 : chips
  const next = nextRouterOf(topology, grid)
  const links: RouterLink[] = []
  const linkIds = new Map<number, number>()
  const nextLink = new Int32Array(routers * chips).fill(-1)
  for (let from = 0; from < routers; from++) {
    for (let destination = 0; destination < chips; destination++) {
      if (from === destination) continue
      const to = next(from, destination)
      const key = from * routers + to
      let id = linkIds.get(key)
      if (id === undefined) {
        id = links.length
        linkIds.set(key, id)
        links.push({ from, to })
      }
      nextLink[from * chips + destination] = id
    }
  }
  return { chips, routers, links, nextLink }
}

/** The links from one chip to another, in order. */
export function routeOf(topology: Topology, source: number, destination: number): number[] {
  const route: number[] = []
  let router = source
  while (router !== destination) {
    const id = topology.nextLink[router * topology.chips + destination] ?? -1
    const link = topology.links[id]
    if (link === undefined) {
      throw new RangeError(`no way from chip ${String(source)} to ${String(destination)}`)
    }
    route.push(id)
    router = link.to
  }
  return route
}

type Step = (from: number, to: number, size: number) => number

const steps: Readonly<Record<Exclude<D2dTopology, 'switch'>, Step>> = {
  mesh: (from, to) => from + Math.sign(to - from),
  torus: (from, to, size) => {
    const up = (to - from + size) % size
    const goesUp = 2 * up < size || (2 * up === size && from % 2 === 0)
    return (from + (goesUp ? 1 : size - 1)) % size
  },
  'flattened-butterfly': (_, to) => to,
}

/** Which router comes next on the way to another chip. */
function nextRouterOf(topology: D2dTopology, { columns, rows }: Grid) {
  if (topology === 'switch') {
    const center = columns * rows
    return (from: number, destination: number): number => (from === center ? destination : center)
  }
  const step = steps[topology]
  return (from: number, destination: number): number => {
    const [x, y] = [from % columns, Math.floor(from / columns)]
    const [toX, toY] = [destination % columns, Math.floor(destination / columns)]
    return x === toX ? x + columns * step(y, toY, rows) : step(x, toX, columns) + columns * y
  }
}
