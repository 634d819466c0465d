import { isAbsorbed, type AttentionWorkload } from '#shared/workload/attention.ts'

/** How an attention kernel is spread over the tiles; the ids are part of the command line. */
export const dataflows = [
  'fa2',
  'fa3',
  'flat-sc',
  'flat-tc',
  'flat-hc',
  'flat-async',
  'flash-mla',
  'flash-mla-fair',
] as const

export type Dataflow = (typeof dataflows)[number]

/** What a person may ask for: a dataflow, or the one that is predicted to be fastest. */
export const dataflowChoices = [...dataflows, 'auto'] as const

export interface DataflowDescription {
  readonly label: string
  readonly summary: string
}

export const dataflowDescriptions: Readonly<Record<Dataflow, DataflowDescription>> = {
  fa2: {
    label: 'FlashAttention-2',
    summary:
      'Each tile works alone on a block of query rows; loads, matrix and softmax take turns.',
  },
  fa3: {
    label: 'FlashAttention-3',
    summary:
      'Each tile works alone; the softmax of one block overlaps the matrix work of the next.',
  },
  'flat-sc': {
    label: 'FlatSC',
    summary: 'A group of tiles shares one head; collectives are unicasts in software, one by one.',
  },
  'flat-tc': {
    label: 'FlatTC',
    summary: 'A group of tiles shares one head; collectives are trees in software.',
  },
  'flat-hc': {
    label: 'FlatHC',
    summary: 'A group of tiles shares one head; the NoC multicasts and reduces in hardware.',
  },
  'flat-async': {
    label: 'FlatAsync',
    summary: 'FlatHC with two heads interleaved, so that matrix, vector and data movement overlap.',
  },
  'flash-mla': {
    label: 'FlashMLA',
    summary:
      'Each tile takes a whole sequence of MLA decode, so only as many tiles as sequences work.',
  },
  'flash-mla-fair': {
    label: 'FlashMLA, all tiles',
    summary:
      'MLA decode split over heads, rows and KV, so that all tiles work; partial results are merged.',
  },
}

/** FlashAttention for a latent that all heads share: decode of MLA only. */
export const isFlashMla = (dataflow: Dataflow): boolean =>
  dataflow === 'flash-mla' || dataflow === 'flash-mla-fair'

/** Whether each tile loads what it needs by itself, without multicasts. */
export const isFlash = (dataflow: Dataflow): boolean =>
  dataflow === 'fa2' || dataflow === 'fa3' || isFlashMla(dataflow)

/** The dataflows that a workload can run with, in the order of the command line. */
export const dataflowsOf = (
  workload: Pick<AttentionWorkload, 'variant' | 'phase'>,
): readonly Dataflow[] =>
  dataflows.filter(dataflow => unsupportedDataflow(dataflow, workload) === undefined)

/** Why a workload cannot run with a dataflow; undefined where it can. */
export function unsupportedDataflow(
  dataflow: Dataflow,
  { variant, phase }: Pick<AttentionWorkload, 'variant' | 'phase'>,
): string | undefined {
  const absorbed = isAbsorbed({ variant, phase })
  if (absorbed && isFlash(dataflow) && !isFlashMla(dataflow)) {
    return (
      `dataflow: ${dataflow} has no kernel for decode of variant mla, whose keys and values are one ` +
      'latent vector; use flash-mla (one tile for each sequence) or flash-mla-fair (all tiles), ' +
      'or flat-sc, flat-tc, flat-hc, flat-async'
    )
  }
  if (!absorbed && isFlashMla(dataflow)) {
    const others = dataflows.filter(id => !isFlashMla(id)).join(', ')
    return (
      `dataflow: ${dataflow} is for decode of variant mla only, got ${phase} of variant ${variant}; ` +
      `allowed are ${others}`
    )
  }
  return undefined
}
