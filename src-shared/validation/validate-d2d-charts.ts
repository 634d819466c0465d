import depletion from '#resources/published/d2d-credit-depletion-2025.json' with { type: 'json' }
import bandwidths from '#resources/published/d2d-throughput-vs-bandwidth-2025.json' with { type: 'json' }
import latencies from '#resources/published/d2d-throughput-vs-latency-2025.json' with { type: 'json' }
import { linkTiming } from '#shared/models/wafer/link-timing.ts'
import { fromKiB } from '#shared/units/convert.ts'
import { streamTo, timeOf, waferOf } from '#shared/validation/published-wafer.ts'
import {
  compared,
  validationSet,
  type ValidationRow,
  type ValidationSet,
} from '#shared/validation/validation-set.ts'

interface Link {
  readonly linkGBps: number
  readonly linkLatencyNs: number
}

interface Chart {
  readonly id: string
  readonly title: string
  readonly source: string
  readonly flitBytes: number
  readonly fifoFlits: number
  readonly lanes: readonly number[]
  readonly rows: readonly (readonly number[])[]
}

/** Bytes over the time between the ends of a link, without the ports of the chips. */
function throughputGBps(kib: number, link: Link, chart: Chart): number {
  const { flitBytes, fifoFlits } = chart
  const wafer = waferOf(2, 1, { ...link, flitBytes, fifoFlits })
  const size = fromKiB(kib)
  const { lastData } = timeOf(streamTo(1, Math.ceil(size / flitBytes), 2), wafer, 'event')
  // Bytes per nanosecond: the links run at 1 GHz.
  return size / (lastData - 2 * linkTiming(wafer).port)
}

const chartSet = (
  chart: Chart,
  pointOf: (first: number, lane: number) => { readonly kib: number; readonly link: Link },
): ValidationSet =>
  validationSet({
    id: chart.id,
    title: chart.title,
    source: chart.source,
    // The charts print two decimals.
    target: { meanAbsoluteError: 0.001, largestError: 0.003 },
    rows: chart.rows.flatMap(([first = NaN, ...values]) =>
      values.map((value, index): ValidationRow => {
        const { kib, link } = pointOf(first, chart.lanes[index] ?? NaN)
        const name = `${String(kib)} KiB, ${String(link.linkGBps)} GB/s, ${String(link.linkLatencyNs)} ns`
        return compared(name, 'GB/s', throughputGBps(kib, link, chart), value)
      }),
    ),
  })

/** Published throughput of one link against size, bandwidth and latency. */
export const validateD2dCharts = (): ValidationSet[] => [
  chartSet(bandwidths, (kib, linkGBps) => ({
    kib,
    link: { linkGBps, linkLatencyNs: bandwidths.linkLatencyNs },
  })),
  chartSet(latencies, (kib, linkLatencyNs) => ({
    kib,
    link: { linkGBps: latencies.linkGBps, linkLatencyNs },
  })),
  chartSet(depletion, (linkLatencyNs, linkGBps) => ({
    kib: depletion.transferKiB,
    link: { linkGBps, linkLatencyNs },
  })),
]
