import type { AttentionWorkload } from '#shared/workload/attention.ts'
import type {
  DecoderModel,
  GroupedAttention,
  LatentAttention,
} from '#shared/workload/decoder-model.ts'
import type { GemmWorkload } from '#shared/workload/gemm.ts'
import type { VectorKernelId, VectorWorkload } from '#shared/workload/vector.ts'

/** One kernel of an iteration, and how often a chip runs it there. */
export interface KernelCall {
  readonly name: string
  readonly count: number
  readonly kernel:
    | { readonly kind: 'gemm'; readonly workload: GemmWorkload }
    | { readonly kind: 'vector'; readonly workload: VectorWorkload }
    | { readonly kind: 'attention'; readonly workload: AttentionWorkload }
}

/** What decides the shapes of the kernels of one chip. */
export interface DecodeTokens {
  /** Sequences that the chip computes together. */
  readonly batch: number
  /** Positions of each: one, and those that were drafted. */
  readonly speculativeLength: number
  readonly kvLength: number
}

/** The reference planner times the down-projection of an MLP with the shape of the other two. */
export interface LayerConventions {
  readonly downProjectionLikeUp: boolean
}

/** Rows of an expert, and how many experts of the chip have as many. */
export interface ExpertRows {
  readonly rows: number
  readonly experts: number
}

const tokenRows = ({ batch, speculativeLength }: DecodeTokens): number => batch * speculativeLength

export function gemmCall(
  name: string,
  model: DecoderModel,
  [m, n, k]: readonly [m: number, n: number, k: number],
  batch = 1,
): KernelCall {
  return {
    name,
    count: 1,
    kernel: { kind: 'gemm', workload: { m, n, k, batch, dtype: model.dtype } },
  }
}

function vectorCall(
  name: string,
  kernel: VectorKernelId,
  model: DecoderModel,
  tokens: number,
  width: number,
  topK = 0,
): KernelCall {
  const experts = topK > 0 ? model.experts.routed : 0
  const workload = {
    kernel,
    tokens,
    width,
    experts,
    topK,
    dtype: model.dtype,
    data: 'zeros',
  } as const
  return { name, count: 1, kernel: { kind: 'vector', workload } }
}

export const times = (calls: readonly KernelCall[], factor: number): KernelCall[] =>
  calls.map(call => ({ ...call, count: call.count * factor }))

/**
 * The kernels of the attention half of a layer in decode, in order.
 *
 * MLA with absorbed projections: the up-projection of the keys is part of that of the queries
 * (r → H·c), that of the values runs for each head after the attention (c → v). Without absorption
 * the latent of the whole context is expanded to keys and values of every head in each step.
 *
 * Source: DeepSeek-V2 (arXiv 2405.04434), Section 2.1 and its appendix; kernels and fusions of the
 *   public planner of arXiv 2604.02110.
 * Leaves out: appending to the KV cache, which the planner does not time either.
 * Checked by: test/src-shared/workload/decode-kernels.test.ts
 */
export function attentionCalls(model: DecoderModel, tokens: DecodeTokens): KernelCall[] {
  const { hidden, attention } = model
  const rows = tokenRows(tokens)
  return [
    vectorCall('attention-norm', 'rms-norm', model, rows, hidden),
    ...(attention.kind === 'latent'
      ? latentCalls(model, attention, tokens)
      : groupedCalls(model, attention, tokens)),
    vectorCall('attention-residual', 'add', model, rows, hidden),
  ]
}

function attentionWorkload(
  model: DecoderModel,
  { batch, kvLength, speculativeLength }: DecodeTokens,
  shape: Pick<AttentionWorkload, 'variant' | 'phase' | 'kvHeads' | 'headDim'> &
    Partial<AttentionWorkload>,
): KernelCall {
  const workload: AttentionWorkload = {
    ...{ batch, kvLength, queryLength: 1, speculativeLength, causal: false },
    ...{ heads: model.attention.heads, dtype: model.dtype },
    ...shape,
  }
  return { name: 'attention', count: 1, kernel: { kind: 'attention', workload } }
}

function latentCalls(
  model: DecoderModel,
  attention: LatentAttention,
  tokens: DecodeTokens,
): KernelCall[] {
  const { hidden } = model
  const { heads, queryRank, latentDim, ropeDim, nopeDim, valueDim, absorbed } = attention
  const rows = tokenRows(tokens)
  const dimensions = { latentDim, ropeDim, nopeDim, valueDim, headDim: nopeDim }
  const down = [
    gemmCall('latent-projection', model, [rows, queryRank + latentDim, hidden]),
    gemmCall('rope-key-projection', model, [rows, ropeDim, hidden]),
    vectorCall('rope-key', 'rope', model, rows, ropeDim),
  ]
  const rope = [
    gemmCall('rope-query-projection', model, [rows, heads * ropeDim, queryRank]),
    vectorCall('rope-query', 'rope', model, rows, heads * ropeDim),
  ]
  const output = gemmCall('output-projection', model, [rows, hidden, heads * valueDim])
  if (absorbed) {
    return [
      ...down,
      gemmCall('query-projection', model, [rows, heads * latentDim, queryRank]),
      ...rope,
      attentionWorkload(model, tokens, {
        ...{ variant: 'mla', phase: 'decode', kvHeads: 1 },
        ...dimensions,
      }),
      gemmCall('value-projection', model, [rows, valueDim, latentDim], heads),
      output,
    ]
  }
  const context = tokens.batch * tokens.kvLength
  return [
    ...down,
    gemmCall('query-projection', model, [rows, heads * nopeDim, queryRank]),
    ...rope,
    gemmCall('key-value-projection', model, [context, heads * (nopeDim + valueDim), latentDim]),
    // Expanded, it is the kernel of a prefill with a few query rows: keys and values for every head.
    attentionWorkload(model, tokens, {
      ...{ variant: 'mla', phase: 'prefill', kvHeads: heads },
      ...{ queryLength: tokens.speculativeLength, speculativeLength: 1 },
      ...dimensions,
    }),
    output,
  ]
}

function groupedCalls(
  model: DecoderModel,
  { heads, kvHeads, headDim }: GroupedAttention,
  tokens: DecodeTokens,
): KernelCall[] {
  const { hidden } = model
  const rows = tokenRows(tokens)
  const variant = kvHeads === heads ? 'mha' : kvHeads === 1 ? 'mqa' : 'gqa'
  return [
    gemmCall('query-key-value-projection', model, [rows, (heads + 2 * kvHeads) * headDim, hidden]),
    vectorCall('rope-query', 'rope', model, rows, heads * headDim),
    vectorCall('rope-key', 'rope', model, rows, kvHeads * headDim),
    attentionWorkload(model, tokens, { variant, phase: 'decode', kvHeads, headDim }),
    gemmCall('output-projection', model, [rows, hidden, heads * headDim]),
  ]
}

/** The kernels of a gated MLP: up, gate, activation, down. */
function gatedMlp(
  prefix: string,
  model: DecoderModel,
  rows: number,
  inner: number,
  { downProjectionLikeUp }: LayerConventions,
): KernelCall[] {
  const { hidden } = model
  const up = [rows, inner, hidden] as const
  return [
    gemmCall(`${prefix}-up`, model, up),
    gemmCall(`${prefix}-gate`, model, up),
    vectorCall(`${prefix}-activation`, 'silu-gate', model, rows, inner),
    gemmCall(`${prefix}-down`, model, downProjectionLikeUp ? up : [rows, hidden, inner]),
  ]
}

/** The second half of a dense layer. */
export function denseCalls(
  model: DecoderModel,
  tokens: DecodeTokens,
  conventions: LayerConventions,
): KernelCall[] {
  const rows = tokenRows(tokens)
  return [
    vectorCall('dense-norm', 'rms-norm', model, rows, model.hidden),
    ...gatedMlp('dense', model, rows, model.denseInner, conventions),
    vectorCall('dense-residual', 'add', model, rows, model.hidden),
  ]
}

/**
 * The second half of a layer with experts, as one chip runs it.
 *
 * @param experts rows of the routed experts on the chip
 * @param onChip whether the chip has all experts: tokens are then sorted on it, and not sent
 */
export function expertCalls(
  model: DecoderModel,
  tokens: DecodeTokens,
  experts: readonly ExpertRows[],
  onChip: boolean,
  conventions: LayerConventions,
): KernelCall[] {
  const { hidden } = model
  const { routed, shared, topK, inner } = model.experts
  const rows = tokenRows(tokens)
  const busy = experts.filter(({ rows: some }) => some > 0)
  return [
    vectorCall('moe-norm', 'rms-norm', model, rows, hidden),
    ...(shared > 0 ? gatedMlp('shared', model, rows, shared * inner, conventions) : []),
    gemmCall('router', model, [rows, routed, hidden]),
    vectorCall('top-k', 'top-k', model, rows, routed, topK),
    ...(onChip ? [vectorCall('dispatch', 'dispatch', model, rows, 0, topK)] : []),
    ...busy.flatMap(({ rows: some, experts: count }) =>
      times(gatedMlp('expert', model, some, inner, conventions), count),
    ),
    ...(onChip ? [vectorCall('combine', 'combine', model, rows, hidden, topK)] : []),
    ...(shared > 0 ? [vectorCall('expert-sum', 'add', model, rows, hidden)] : []),
    vectorCall('moe-residual', 'add', model, rows, hidden),
  ]
}

/** Norm and head of the model. */
export const headCalls = (model: DecoderModel, tokens: DecodeTokens): KernelCall[] => [
  vectorCall('head-norm', 'rms-norm', model, tokenRows(tokens), model.hidden),
  gemmCall('head', model, [tokenRows(tokens), model.vocabulary, model.hidden]),
]

/** What an MTP module does before its layer: two norms, and a projection of both to one vector. */
export const draftInputCalls = (model: DecoderModel, tokens: DecodeTokens): KernelCall[] => [
  ...times([vectorCall('draft-norm', 'rms-norm', model, tokenRows(tokens), model.hidden)], 2),
  gemmCall('draft-projection', model, [tokenRows(tokens), model.hidden, 2 * model.hidden]),
]
