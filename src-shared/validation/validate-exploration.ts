import heatMap from '#resources/published/figD-coexploration-2025.json' with { type: 'json' }
import h100 from '#resources/published/figD-h100-comparison-2025.json' with { type: 'json' }
import type { ChipConfig } from '#shared/schema/chip.ts'
import { estimateAttention } from '#shared/simulate/run-attention.ts'
import { presetChip, publishedInput } from '#shared/validation/published-input.ts'
import {
  comparedInPoints,
  validationSet,
  type ValidationSet,
} from '#shared/validation/validation-set.ts'

/** The chips of the exploration: the same peak in fewer, larger tiles. */
const fabrics: Readonly<Record<string, string>> = {
  '32x32': 'flat-2025',
  '16x16': 'granularity-16x16',
  '8x8': 'granularity-8x8',
}

/** As many channels on the west as on the south edge. */
function chipOf(fabric: string, channelsPerEdge: number): ChipConfig {
  const chip = presetChip(fabrics[fabric] ?? fabric)
  const channels = { west: channelsPerEdge, north: 0, east: 0, south: channelsPerEdge }
  return {
    ...chip,
    name: `${chip.name}, ${String(channelsPerEdge)} channels per edge`,
    hbm: { ...chip.hbm, channels },
  }
}

interface Layer {
  readonly batch: number
  readonly heads: number
  readonly headDim: number
}

/** The square group, a power of two on a side, with which FlatAsync is fastest. */
export function bestSquareGroup(
  chip: ChipConfig,
  length: number,
  layer: Layer,
): { readonly group: number; readonly utilization: number } {
  const side = Math.min(chip.tiles.x, chip.tiles.y)
  const groups = [1, 2, 4, 8, 16, 32, 64].filter(group => group <= side)
  const tried = groups.map(group => {
    const { result } = estimateAttention(
      publishedInput({
        chip,
        dataflow: 'flat-async',
        ...layer,
        queryLength: length,
        kvLength: length,
        mapping: { groupX: group, groupY: group },
      }),
    )
    return { group, utilization: result.matrixUtilization }
  })
  return tried.reduce((best, next) => (next.utilization > best.utilization ? next : best))
}

const square = (side: number) => `${String(side)}x${String(side)}`

/** Co-exploration of chip and dataflow, and the chip that it chose against an H100. */
export function validateExploration(): ValidationSet[] {
  return [
    validationSet({
      id: 'figD-coexploration-2025',
      title: 'Co-exploration of 2025: matrix utilisation of FlatAsync with the best square group',
      source: heatMap.source,
      target: { meanAbsoluteError: 0.08, largestError: 0.16 },
      rows: heatMap.rows.map(([length, fabric, channels, utilisation, published]) => {
        const chip = chipOf(String(fabric), Number(channels))
        const { group, utilization } = bestSquareGroup(chip, Number(length), heatMap)
        return comparedInPoints(
          `S ${String(length)}, ${String(fabric)} tiles, 2 x ${String(channels)} channels, ` +
            `group ${square(group)} (published ${square(Number(published))})`,
          100 * utilization,
          Number(utilisation),
        )
      }),
    }),
    validationSet({
      id: 'figD-h100-comparison-2025',
      title: 'The chip of 2025 with 2 x 16 channels: matrix utilisation of FlatAsync',
      source: h100.source,
      target: { meanAbsoluteError: 0.08, largestError: 0.16 },
      rows: h100.rows.map(([length = 0, utilisation = 0]) => {
        const chip = chipOf('32x32', 16)
        const transposing = {
          ...chip,
          kernels: { ...chip.kernels, keyTranspose: 'engine' as const },
        }
        const { group, utilization } = bestSquareGroup(transposing, length, h100)
        return comparedInPoints(
          `S ${String(length)}, group ${square(group)}`,
          100 * utilization,
          utilisation,
        )
      }),
    }),
  ]
}
