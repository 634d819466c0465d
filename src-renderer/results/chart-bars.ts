import type { BreakdownBar } from '#renderer/charts/breakdown-option.ts'
import type { Roof, RooflinePoint } from '#renderer/charts/roofline-option.ts'
import type { TrafficBar } from '#renderer/charts/traffic-option.ts'
import type { UtilizationBar } from '#renderer/charts/utilization-option.ts'
import type { RunView } from '#renderer/results/run-view.ts'
import { gh200Baseline, gh200Origin, gh200Shape } from '#shared/baselines/gh200.ts'
import { gh200Peaks } from '#shared/baselines/gh200-series.ts'
import { achievedFlopsPerSecond } from '#shared/results/metric.ts'
import { resolveWorkload } from '#shared/schema/workload.ts'
import { compulsoryBytes, usefulFlops, type AttentionWorkload } from '#shared/workload/attention.ts'

export const runBars = (runs: readonly RunView[]): (BreakdownBar & TrafficBar & UtilizationBar)[] =>
  runs.map(({ label, document: { result } }) => ({
    label,
    seconds: result.seconds,
    breakdown: result.breakdown,
    readBytes: result.hbmReadBytes,
    writeBytes: result.hbmWriteBytes,
    matrixUtilization: result.matrixUtilization,
    hbmBandwidthUtilization: result.hbmBandwidthUtilization,
  }))

/** One roof for each chip among the runs, and that of the GH200. */
export function roofsOf(runs: readonly RunView[]): Roof[] {
  const roofs = new Map<string, Roof>()
  for (const { document } of runs) {
    const { peakFlopsPerSecond, peakHbmBytesPerSecond: peakBytesPerSecond } = document.result
    const key = `${String(peakFlopsPerSecond)} ${String(peakBytesPerSecond)}`
    if (roofs.has(key)) continue
    const name = document.input.chip.name
    roofs.set(key, { name, peakFlopsPerSecond, peakBytesPerSecond, isBaseline: false })
  }
  const measured = {
    name: 'GH200 peak',
    peakFlopsPerSecond: gh200Peaks.tflops * 1e12,
    peakBytesPerSecond: gh200Peaks.hbmTBps * 1e12,
    isBaseline: true,
  }
  return [...roofs.values(), measured]
}

/** Each run, and what is known of a GH200 for the same shapes. */
export function rooflinePoints(runs: readonly RunView[]): RooflinePoint[] {
  const simulated = runs.map(({ label, document: { result } }) => ({
    label,
    arithmeticIntensity: result.arithmeticIntensity,
    flopsPerSecond: achievedFlopsPerSecond(result),
    origin: 'simulated' as const,
  }))
  return [...simulated, ...workloadsOf(runs).flatMap(gh200Point)]
}

/** What the points of a GH200 are, or why there are none. */
export function gh200Note(runs: readonly RunView[]): string {
  const baselines = workloadsOf(runs).map(gh200Baseline)
  const notes = baselines.map(baseline =>
    baseline.kind === 'none'
      ? `GH200: no point, ${gh200Origin(baseline)}; its roof is drawn for reference.`
      : `GH200: ${baseline.series.kernel}, ${gh200Shape(baseline)}, throughput ${gh200Origin(baseline)}; ` +
        'its traffic was not measured, so the point stands at the intensity of compulsory traffic.',
  )
  return [...new Set(notes)].join(' ')
}

function workloadsOf(runs: readonly RunView[]): AttentionWorkload[] {
  const workloads = new Map(
    runs.map(({ document }) => [JSON.stringify(document.input.workload), document.input.workload]),
  )
  return [...workloads.values()].map(resolveWorkload)
}

/** The traffic was not measured: the point stands at the intensity of compulsory traffic. */
function gh200Point(workload: AttentionWorkload): RooflinePoint[] {
  const baseline = gh200Baseline(workload)
  if (baseline.kind === 'none') return []
  return [
    {
      label: `GH200, ${baseline.kind}, ${gh200Shape(baseline)}`,
      arithmeticIntensity: usefulFlops(workload) / compulsoryBytes(workload),
      flopsPerSecond: baseline.tflops * 1e12,
      origin: baseline.kind,
    },
  ]
}
