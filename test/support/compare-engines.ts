import fc from 'fast-check'
import type { AttentionResult } from '#shared/results/attention-result.ts'
import type { AttentionInput } from '#shared/schema/attention-input.ts'
import { estimateAttention } from '#shared/simulate/run-attention.ts'
import { latentInput } from '#test/support/make-latent-input.ts'
import { moderateInput } from '#test/support/make-moderate-input.ts'

/** Random kernels in both engines are always the same ones. */
const SEED = 20_261_130

/** How many of the 500 mappings are of MLA, and how many of everything else. */
const LATENT = 70
const OTHERS = 430

/** What the engines may differ by, of the runtime of the phase engine. */
export const AGREEMENT = 0.08

/** 500 mappings over all dataflows, variants, phases, masks, meshes, edges with memory and groups. */
export const agreementGrid = (): AttentionInput[] => [
  ...fc.sample(moderateInput, { numRuns: OTHERS, seed: SEED }),
  ...fc.sample(latentInput, { numRuns: LATENT, seed: SEED }),
]

/** The first few of each dataflow, of MLA and of all other kernels. */
export function stratifiedGrid(ofEach: number): AttentionInput[] {
  const strata = new Map<string, AttentionInput[]>()
  for (const input of agreementGrid()) {
    const { variant, phase } = input.workload
    const stratum = `${input.dataflow} ${variant === 'mla' ? phase : ''}`
    const members = strata.get(stratum) ?? []
    if (members.length < ofEach) strata.set(stratum, [...members, input])
  }
  return [...strata.values()].flat()
}

/** A kernel in both engines. */
export interface ComparedKernel {
  readonly input: AttentionInput
  readonly phase: AttentionResult
  readonly event: AttentionResult
  /** Runtime of the event engine over that of the phase engine, less one. */
  readonly difference: number
}

export function compareEngines(input: AttentionInput): ComparedKernel {
  const phase = estimateAttention({ ...input, engine: 'phase' }).result
  const event = estimateAttention({ ...input, engine: 'event' }).result
  return { input, phase, event, difference: event.cycles / phase.cycles - 1 }
}

export const agrees = ({ difference }: ComparedKernel): boolean => Math.abs(difference) <= AGREEMENT

/** Why the engines differ, as the event engine shows. */
export const causes = [
  'groups stay in step',
  'groups drift apart',
  'channels and links',
  'order of the steps',
] as const

/** Shares of the phase engine's runtime that tiles wait for a busy resource. */
export interface Waiting {
  readonly event: number
  readonly phase: number
}

export interface Disagreement {
  readonly kernel: ComparedKernel
  readonly cause: (typeof causes)[number]
  readonly atChannels: Waiting
  readonly atLinks: Waiting
  /** The difference that is left where the channels have no queues, and where links have none either. */
  readonly withoutQueues: number
  readonly withoutLinks: number
}

/** So fast, or so wide, that next to nobody waits. */
const FAST_CHANNELS = 1000
const WIDE_LINKS = 16

/**
 * Why the engines differ. Both simulate the kernel twice more: with channels that are a thousand times
 * as fast, and with links that are 16 times as wide besides. The exposed load time that goes away is what
 * tiles waited for channels, and for links.
 *
 * Contention is the cause where the engines agree without it, and where the difference in waiting has
 * the sign of the difference in runtime and is at least half of it. Where the event engine waits longer,
 * the groups stay in step longer than the phase engine takes them to; else they drift apart sooner.
 * All others differ by the order of the steps.
 */
export function explainDisagreement(kernel: ComparedKernel): Disagreement {
  const { input, difference } = kernel
  const { hbm, noc } = input.chip
  const fast = { ...input.chip, hbm: { ...hbm, channelGBps: hbm.channelGBps * FAST_CHANNELS } }
  const wide = { ...fast, noc: { ...noc, linkBits: noc.linkBits * WIDE_LINKS } }
  const withFast = compareEngines({ ...input, chip: fast })
  const withWide = compareEngines({ ...input, chip: wide })
  const atChannels = saved(kernel, withFast, kernel)
  const atLinks = saved(withFast, withWide, kernel)
  const explains = (waiting: number) => waiting / difference >= 0.5
  const channels = atChannels.event - atChannels.phase
  const both = channels + atLinks.event - atLinks.phase
  const ofChannels = difference > 0 ? 'groups stay in step' : 'groups drift apart'
  return {
    kernel,
    cause:
      agrees(withFast) && explains(channels)
        ? ofChannels
        : agrees(withWide) && explains(both)
          ? 'channels and links'
          : 'order of the steps',
    atChannels,
    atLinks,
    withoutQueues: withFast.difference,
    withoutLinks: withWide.difference,
  }
}

/** Exposed load time that one chip has and the other has not, over the runtime of the kernel. */
const saved = (from: ComparedKernel, to: ComparedKernel, { phase }: ComparedKernel): Waiting => ({
  event: (exposedLoads(from.event) - exposedLoads(to.event)) / phase.seconds,
  phase: (exposedLoads(from.phase) - exposedLoads(to.phase)) / phase.seconds,
})

/** Seconds in which a tile does nothing but wait for HBM, with the way there. */
const exposedLoads = (result: AttentionResult): number =>
  result.breakdown.find(({ component }) => component === 'hbm')?.seconds ?? 0
