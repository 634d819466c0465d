import { binaryTicks, horizontalBars, type ChartOption } from '#renderer/charts/chart-option.ts'
import { formatBytes } from '#shared/units/format.ts'

/** What a chip of a stage holds, and what of it is left. */
export interface MemoryBar {
  readonly label: string
  readonly weightsBytes: number
  readonly kvCacheBytes: number
  readonly activationBytes: number
  readonly freeBytes: number
}

const parts = [
  { key: 'weightsBytes', name: 'Weights', color: '#0072b2' },
  { key: 'kvCacheBytes', name: 'KV cache', color: '#e69f00' },
  { key: 'activationBytes', name: 'Activations', color: '#009e73' },
  { key: 'freeBytes', name: 'Free', color: '#8c959f55' },
] as const

/** Memory of the fullest chip of each stage; with what is free, a bar is the capacity. */
export function memoryOption(bars: readonly MemoryBar[]): ChartOption {
  const sums = bars.map(
    bar => bar.weightsBytes + bar.kvCacheBytes + bar.activationBytes + bar.freeBytes,
  )
  return {
    ...horizontalBars(
      bars.map(({ label }) => label),
      {
        name: 'Memory of the fullest chip',
        format: value => formatBytes(value, 3),
        ...binaryTicks(Math.max(...sums)),
      },
    ),
    series: parts.map(({ key, name, color }) => ({
      type: 'bar' as const,
      name,
      stack: 'memory',
      barMaxWidth: 20,
      itemStyle: { color },
      data: bars.map(bar => bar[key]),
    })),
  }
}
