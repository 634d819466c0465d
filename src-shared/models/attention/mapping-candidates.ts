import type { Chip } from '#shared/hardware/chip.ts'
import type { Dataflow } from '#shared/mapping/dataflow.ts'
import type { MappingOverrides } from '#shared/mapping/mapping-overrides.ts'
import { ownGroup, ruleCut } from '#shared/models/attention/attention-mapping.ts'
import type { Cut } from '#shared/models/attention/cut-kernel.ts'
import { fairSplits } from '#shared/models/attention/fair-flash-mla.ts'
import { queryRows, type AttentionWorkload } from '#shared/workload/attention.ts'

/** Tiles along one side of a group, with the slice of each. */
export interface AxisCut {
  readonly group: number
  readonly slice: number
}

/** Every row cut goes with every column cut. */
export interface SearchSpace {
  readonly rows: readonly AxisCut[]
  readonly columns: readonly AxisCut[]
}

/**
 * The mappings that a search tries for one dataflow; what is overridden is fixed.
 *
 *   group    1 for FlashAttention (fair FlashMLA splits KV); else powers of two and divisors of the side of the mesh
 *   slice    with L the query rows or KV columns and c = ⌈L / group⌉: c, powers of two, ⌈c / 2ⁱ⌉, and
 *            the divisors of c up to 16 heights of the matrix engine; none below its smaller side
 *   rule     the cuts that the tiling rule makes for any size of L1
 *
 * A slice below the smaller side of the engine leaves some of it without work in each step, and one
 * above 16 heights is within a percent of its peak: finer steps there make no difference.
 *
 * Holds when: always; the space does not depend on L1, on HBM or on the NoC, so that a search in it
 *   is monotone in them.
 * Checked by: test/properties/tune-monotonicity.test.ts.
 */
export function mappingCandidates(
  dataflow: Dataflow,
  workload: AttentionWorkload,
  overrides: MappingOverrides,
  chip: Chip,
): SearchSpace {
  const own = { ...overrides, ...ownGroup(dataflow, overrides) }
  // The fair FlashMLA chooses by runtime, which depends on the whole chip; its slices do not.
  const isFair = dataflow === 'flash-mla-fair'
  const rule = ruleCuts(isFair ? 'flash-mla' : dataflow, workload, own, chip)
  const keys = Math.max(1, workload.kvLength)
  return {
    rows: axisCuts(
      { length: queryRows(workload), tiles: chip.tiles.y, chip },
      { group: own.groupY, slice: own.sliceRows, block: own.blockRows },
      rule.map(cut => ({ group: cut.groupY, slice: cut.sliceRows })),
    ),
    columns: axisCuts(
      { length: keys, tiles: chip.tiles.x, chip },
      { group: own.groupX, slice: own.sliceCols, block: own.blockCols },
      isFair
        ? fairSplits(own.groupX, Math.min(chip.tiles.x, keys)).flatMap(group =>
            rule.map(cut => ({ group, slice: Math.min(cut.sliceCols, Math.ceil(keys / group)) })),
          )
        : rule.map(cut => ({ group: cut.groupX, slice: cut.sliceCols })),
    ),
  }
}

/** What the rule chooses where the preferred slice has the sides that any L1 could lead to. */
function ruleCuts(
  dataflow: Dataflow,
  workload: AttentionWorkload,
  overrides: MappingOverrides,
  chip: Chip,
): Cut[] {
  const { height } = chip.matrixEngine
  const longest = Math.max(height, queryRows(workload), workload.kvLength)
  const sides: number[] = []
  for (let side = height; side < 2 * longest; side *= 2) sides.push(side)
  for (let side = Math.floor(height / 2); side > 0; side = Math.floor(side / 2)) sides.push(side)
  return sides
    .map(side => ruleCut(dataflow, workload, overrides, side, chip))
    .filter(cut => typeof cut !== 'string')
}

interface Fixed {
  readonly group: number | undefined
  readonly slice: number | undefined
  readonly block: number | undefined
}

function axisCuts(
  axis: { readonly length: number; readonly tiles: number; readonly chip: Chip },
  fixed: Fixed,
  rule: readonly AxisCut[],
): AxisCut[] {
  const groups =
    fixed.group === undefined
      ? ascending([...groupSides(axis.tiles), ...rule.map(cut => cut.group)])
      : [fixed.group]
  return groups.flatMap(group => {
    const ofRule = rule.filter(cut => cut.group === group).map(({ slice }) => slice)
    const slices = fixedSlices(fixed, group) ?? [
      ...sliceSides(Math.ceil(axis.length / group), axis.chip),
      ...ofRule,
    ]
    return ascending(slices).map(slice => ({ group, slice }))
  })
}

const fixedSlices = ({ slice, block }: Fixed, group: number): number[] | undefined => {
  if (slice !== undefined) return [slice]
  return block === undefined ? undefined : [Math.ceil(block / group)]
}

const groupSides = (tiles: number): number[] =>
  ascending([...powersOfTwo(1, tiles), ...divisors(tiles)])

/** Engine heights above which a slice is not chosen more finely than by powers of two. */
const FINE_HEIGHTS = 16

function sliceSides(whole: number, chip: Chip): number[] {
  const { height, width } = chip.matrixEngine
  const finest = Math.min(whole, height, width)
  const halves = powersOfTwo(1, whole).map(parts => Math.ceil(whole / parts))
  const fine = divisors(whole).filter(side => side <= FINE_HEIGHTS * height)
  return [whole, ...powersOfTwo(finest, whole), ...halves, ...fine].filter(side => side >= finest)
}

function powersOfTwo(least: number, most: number): number[] {
  const powers: number[] = []
  for (let power = 1; power <= most; power *= 2) if (power >= least) powers.push(power)
  return powers
}

function divisors(value: number): number[] {
  const found: number[] = []
  for (let divisor = 1; divisor * divisor <= value; divisor++) {
    if (value % divisor === 0) found.push(divisor, value / divisor)
  }
  return found
}

const ascending = (values: readonly number[]): number[] =>
  [...new Set(values)].toSorted((a, b) => a - b)
