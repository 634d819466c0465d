import decode from '#resources/published/gh200-flashattention-decode.json' with { type: 'json' }
import mla from '#resources/published/gh200-flashmla-decode.json' with { type: 'json' }
import prefill from '#resources/published/gh200-flashattention3-prefill.json' with { type: 'json' }
import type { AttentionWorkload } from '#shared/workload/attention.ts'

/** A throughput that was measured at one length. */
export interface Gh200Point {
  /** Tokens: of the sequence in prefill, of KV in decode. */
  readonly length: number
  readonly tflops: number
}

/** What must be equal for a measurement to say something about a workload. */
type Gh200Kind = Partial<AttentionWorkload> &
  Pick<AttentionWorkload, 'variant' | 'phase' | 'dtype' | 'causal' | 'speculativeLength'>

/** Measurements that differ in one length only, the shortest first. */
export interface Gh200Series {
  readonly kernel: string
  /** Fields that the source does not give are left out: they are not compared. */
  readonly kind: Gh200Kind
  readonly points: readonly Gh200Point[]
  readonly source: string
}

type Cell = number | string

/** The rows of a table whose last two columns are length and TFLOPS, by what stands before them. */
function seriesOf(
  rows: readonly (readonly Cell[])[],
  describe: (key: readonly Cell[]) => Omit<Gh200Series, 'points'>,
): Gh200Series[] {
  const groups = new Map<string, { key: readonly Cell[]; points: Gh200Point[] }>()
  for (const row of rows) {
    const key = row.slice(0, -2)
    const group = groups.get(key.join()) ?? { key, points: [] }
    group.points.push({ length: Number(row.at(-2)), tflops: Number(row.at(-1)) })
    groups.set(key.join(), group)
  }
  return [...groups.values()].map(({ key, points }) => ({
    ...describe(key),
    points: points.toSorted((a, b) => a.length - b.length),
  }))
}

const prefillSeries = seriesOf(
  prefill.rows.map(({ headDim, length, tflops }) => [headDim, length, tflops]),
  ([headDim]) => ({
    kernel: 'FlashAttention-3',
    kind: {
      variant: 'mha',
      phase: 'prefill',
      dtype: 'fp16',
      causal: false,
      speculativeLength: 1,
      headDim: Number(headDim),
    },
    source: prefill.source,
  }),
)

const decodeSeries = seriesOf(decode.rows, ([variant, speculativeLength]) => ({
  kernel: 'FlashAttention decode',
  kind: {
    variant: variant === 'mha' ? 'mha' : 'gqa',
    phase: 'decode',
    dtype: 'fp16',
    causal: false,
    speculativeLength: Number(speculativeLength),
    headDim: decode.headDim,
    batch: decode.batch,
    heads: decode.heads,
    kvHeads: variant === 'mha' ? decode.kvHeads.mha : decode.kvHeads.gqa,
  },
  source: decode.source,
}))

const mlaSeries = seriesOf(mla.rows, ([speculativeLength]) => ({
  kernel: 'FlashMLA',
  kind: {
    variant: 'mla',
    phase: 'decode',
    dtype: 'fp16',
    causal: false,
    speculativeLength: Number(speculativeLength),
    batch: mla.batch,
    heads: mla.heads,
  },
  source: mla.source,
}))

/** Everything that was measured on a GH200. */
export const gh200Series: readonly Gh200Series[] = [...prefillSeries, ...decodeSeries, ...mlaSeries]

/** Data sheet peaks of the GH200. */
export const gh200Peaks = {
  tflops: prefill.peakTflops,
  hbmTBps: prefill.peakHbmTBps,
}
