/** How an attention kernel is spread over the tiles; the ids are part of the command line. */
export const dataflows = ['fa2', 'fa3', 'flat-sc', 'flat-tc', 'flat-hc', 'flat-async'] as const

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
}

export const isFlash = (dataflow: Dataflow): boolean => dataflow === 'fa2' || dataflow === 'fa3'
