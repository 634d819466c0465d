import type { BreakdownBar } from '#renderer/charts/breakdown-option.ts'
import type { Roof, RooflinePoint } from '#renderer/charts/roofline-option.ts'
import type { TrafficBar } from '#renderer/charts/traffic-option.ts'
import type { UtilizationBar } from '#renderer/charts/utilization-option.ts'
import type { RunView } from '#renderer/results/run-view.ts'
import { gh200, gh200PointFor } from '#shared/baselines/gh200.ts'
import { achievedFlopsPerSecond } from '#shared/results/metric.ts'
import { resolveWorkload, type WorkloadConfig } from '#shared/schema/workload.ts'
import { compulsoryBytes, usefulFlops } from '#shared/workload/attention.ts'

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
    peakFlopsPerSecond: gh200.peakTflops * 1e12,
    peakBytesPerSecond: gh200.peakHbmTBps * 1e12,
    isBaseline: true,
  }
  return [...roofs.values(), measured]
}

/** Each run, and what was measured on a GH200 for the same shapes. */
export function rooflinePoints(runs: readonly RunView[]): RooflinePoint[] {
  const simulated = runs.map(({ label, document: { result } }) => ({
    label,
    arithmeticIntensity: result.arithmeticIntensity,
    flopsPerSecond: achievedFlopsPerSecond(result),
    isMeasured: false,
  }))
  const workloads = new Map(
    runs.map(({ document }) => [JSON.stringify(document.input.workload), document.input.workload]),
  )
  return [...simulated, ...[...workloads.values()].flatMap(measuredPoint)]
}

/** The traffic was not measured: the point stands at the intensity of compulsory traffic. */
function measuredPoint(config: WorkloadConfig): RooflinePoint[] {
  const workload = resolveWorkload(config)
  const point = gh200PointFor(workload)
  if (point === undefined) return []
  return [
    {
      label: `GH200, measured, D ${String(point.headDim)} S ${String(point.length)}`,
      arithmeticIntensity: usefulFlops(workload) / compulsoryBytes(workload),
      flopsPerSecond: point.tflops * 1e12,
      isMeasured: true,
    },
  ]
}
