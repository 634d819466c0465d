/** Two numbers of a point, of which more is better. */
export interface ParetoAxes<Point> {
  readonly x: (point: Point) => number
  readonly y: (point: Point) => number
}

/**
 * The points that no other one beats: none is at least as good in both numbers and better in one.
 * In the order of x; of equal points the first.
 *
 * Points that are not finite in both numbers never enter: failed or unfit ones have none.
 *
 * Source: definition of Pareto efficiency.
 * Checked by: test/src-shared/results/pareto-front.test.ts
 */
export function paretoFront<Point>(points: readonly Point[], axes: ParetoAxes<Point>): Point[] {
  const usable = points.filter(
    point => Number.isFinite(axes.x(point)) && Number.isFinite(axes.y(point)),
  )
  const descending = usable.toSorted((a, b) => axes.x(b) - axes.x(a) || axes.y(b) - axes.y(a))
  let best = -Infinity
  const front = descending.filter(point => {
    if (axes.y(point) <= best) return false
    best = axes.y(point)
    return true
  })
  return front.toReversed()
}
