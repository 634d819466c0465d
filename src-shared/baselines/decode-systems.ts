import published from '#resources/published/decode-systems-2026.json' with { type: 'json' }

/** A system that decodes DeepSeek-v3-671B, at the operating point that is published. */
export interface DecodeSystem {
  readonly id: string
  readonly title: string
  /** On machines, or by the simulator of the paper. */
  readonly kind: 'measured' | 'simulated'
  readonly chips: number
  readonly batchPerChip: number
  readonly kvLength: number
  readonly tokensPerSecondPerChip: number
  readonly tpotMs: number
  readonly hbmTBps: number
  readonly peakTflops: number
  readonly interconnect: string
}

export const decodeSystemsSource = published.source

/** DS-Prof and CloudMatrix384, and the wafers of the paper, with what is printed of each. */
export const decodeSystems: readonly DecodeSystem[] = published.rows.map(row => {
  const cell = (column: string) => row[published.columns.indexOf(column)]
  const number = (column: string) => Number(cell(column))
  return {
    id: String(cell('id')),
    title: String(cell('title')),
    kind: cell('kind') === 'measured' ? 'measured' : 'simulated',
    chips: number('chips'),
    batchPerChip: number('batchPerChip'),
    kvLength: number('kvLength'),
    tokensPerSecondPerChip: number('tokensPerSecondPerChip'),
    tpotMs: number('tpotMs'),
    hbmTBps: number('hbmTBps'),
    peakTflops: number('peakTflops'),
    interconnect: String(cell('interconnect')),
  }
})

/** The ratios that the paper prints. */
export const decodeSystemRatios = published.ratios.rows.map(([quantity, value]) => ({
  quantity: String(quantity),
  value: Number(value),
}))
