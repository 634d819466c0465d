import type { PlanBottleneck, PlanChange, PlanChoice } from '#shared/results/plan-result.ts'
import { boundLabels, type Bound } from '#shared/results/attention-result.ts'
import type { DecodeResult } from '#shared/results/decode-result.ts'
import type { DecodeInput } from '#shared/schema/decode-input.ts'
import { resolveModel } from '#shared/schema/model.ts'
import { resolveSystem } from '#shared/schema/system.ts'
import { deploymentMemory } from '#shared/simulate/decode-memory.ts'
import { decodeCache, decodePoint, type DecodeCache } from '#shared/simulate/run-decode.ts'

type Input = Pick<DecodeInput, 'system' | 'model' | 'deployment'>

interface Change {
  readonly label: string
  readonly set: (input: Input) => readonly string[]
  readonly apply: (input: Input) => Input
  readonly isPossible: (input: Input) => boolean
}

const always = () => true
const usesLinks = ({ deployment }: Input) =>
  deployment.communication !== 'none' && deployment.expertParallel * deployment.pipelineParallel > 1

/** What may be changed next: one thing at a time, each twice as good. */
const changes: readonly Change[] = [
  {
    label: 'overlap of communication and kernels',
    set: () => ['deployment.communication=overlap'],
    apply: input => ({ ...input, deployment: { ...input.deployment, communication: 'overlap' } }),
    isPossible: ({ deployment }) =>
      deployment.communication === 'barrier' &&
      deployment.expertParallel > 1 &&
      deployment.batchPerChip > 1,
  },
  {
    label: 'links between chips twice as fast',
    set: ({ system: { d2d } }) => [
      `system.d2d.linkGBps=${String(2 * d2d.linkGBps)}`,
      `system.d2d.clockGHz=${String(2 * d2d.clockGHz)}`,
    ],
    apply: input => {
      const { d2d } = input.system
      const faster = { ...d2d, linkGBps: 2 * d2d.linkGBps, clockGHz: 2 * d2d.clockGHz }
      return { ...input, system: { ...input.system, d2d: faster } }
    },
    isPossible: usesLinks,
  },
  {
    label: 'twice the HBM bandwidth',
    set: ({ system: { chip } }) => [
      `system.chip.hbm.channelGBps=${String(2 * chip.hbm.channelGBps)}`,
    ],
    apply: input => {
      const { hbm } = input.system.chip
      return withChip(input, { hbm: { ...hbm, channelGBps: 2 * hbm.channelGBps } })
    },
    isPossible: always,
  },
  {
    label: 'matrix engines twice as wide',
    set: ({ system: { chip } }) => [
      `system.chip.matrixEngine.width=${String(2 * chip.matrixEngine.width)}`,
    ],
    apply: input => {
      const { matrixEngine } = input.system.chip
      return withChip(input, { matrixEngine: { ...matrixEngine, width: 2 * matrixEngine.width } })
    },
    isPossible: always,
  },
  {
    label: 'twice as wide a NoC',
    set: ({ system: { chip } }) => [`system.chip.noc.linkBits=${String(2 * chip.noc.linkBits)}`],
    apply: input => {
      const { noc } = input.system.chip
      return withChip(input, { noc: { ...noc, linkBits: 2 * noc.linkBits } })
    },
    isPossible: always,
  },
]

const withChip = (input: Input, change: Partial<Input['system']['chip']>): Input => ({
  ...input,
  system: { ...input.system, chip: { ...input.system.chip, ...change } },
})

/** Less than this is no reason to change anything. */
const LEAST_GAIN = 0.001

/** What was computed before, for each change: its system is another one. */
export type ChangeCaches = Map<string, DecodeCache>

/**
 * What each change would bring at the same batch, split and dataflow, the best first.
 *
 * The throughput is predicted anew with the changed field; it is no estimate from shares.
 */
export function tryChanges(
  template: Input,
  choice: PlanChoice,
  now: DecodeResult,
  caches: ChangeCaches,
): { readonly changes: readonly PlanChange[]; readonly nextChange: PlanChange | null } {
  const input = { ...template, deployment: { ...template.deployment, ...choice } }
  const tried = changes
    .filter(({ isPossible }) => isPossible(input))
    .map(({ label, set, apply }) => {
      const cache = caches.get(label) ?? decodeCache()
      caches.set(label, cache)
      const { tpotSeconds, tokensPerSecondPerChip } = resultOf(apply(input), cache)
      const gain = tokensPerSecondPerChip / now.tokensPerSecondPerChip - 1
      return { set: set(input), label, tpotSeconds, tokensPerSecondPerChip, gain }
    })
    .toSorted((a, b) => b.gain - a.gain)
  const [best] = tried
  return { changes: tried, nextChange: best !== undefined && best.gain > LEAST_GAIN ? best : null }
}

/** The numbers of a point, without explanation and warnings. */
export function resultOf(input: Input, cache: DecodeCache): DecodeResult {
  const wafer = resolveSystem(input.system)
  const model = resolveModel(input.model)
  const memory = deploymentMemory(model, input.deployment, wafer)
  return decodePoint({ input, wafer, model, memory }, cache).result
}

const bounds = Object.keys(boundLabels) as Bound[]

/** What most of the slowest stage's time goes to. */
export function bottleneckOf(result: DecodeResult): PlanBottleneck {
  const { stageSeconds } = result.pipeline
  const slowest = Math.max(...stageSeconds)
  const stage = stageSeconds.indexOf(slowest)
  const rows = result.kernels.filter(row => row.stage === stage)
  const kernelSeconds = rows.reduce((sum, { seconds }) => sum + seconds, 0)
  const handOver =
    stageSeconds.length === 1 ? 0 : result.communication.pipelineSeconds / stageSeconds.length
  const candidates = [
    ...bounds.map(kind => ({ kind, ...largestOf(rows.filter(({ bound }) => bound === kind)) })),
    { kind: 'communication' as const, seconds: slowest - kernelSeconds, kernel: null },
    { kind: 'hand-over' as const, seconds: handOver, kernel: null },
  ]
  const most = candidates.reduce((best, one) => (one.seconds > best.seconds ? one : best))
  return { kind: most.kind, share: most.seconds / (slowest + handOver), kernel: most.kernel }
}

function largestOf(rows: DecodeResult['kernels']) {
  const [first] = rows.toSorted((a, b) => b.seconds - a.seconds)
  return {
    seconds: rows.reduce((sum, { seconds }) => sum + seconds, 0),
    kernel: first?.name ?? null,
  }
}
