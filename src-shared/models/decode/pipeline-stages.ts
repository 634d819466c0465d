import { layersWithExperts, type DecoderModel } from '#shared/workload/decoder-model.ts'

/** Which layers count, and how they are spread. */
export type LayerCounting = 'equal-moe' | 'exact'

/** What a pipeline stage runs. */
export interface PipelineStage {
  /** Counted from 0. */
  readonly stage: number
  readonly layers: number
  readonly denseLayers: number
  readonly expertLayers: number
  readonly hasEmbedding: boolean
  /** Whether it ends with the head, and the modules that draft. */
  readonly hasHead: boolean
}

/**
 * Cuts the layers of a model into stages of ⌈L/P⌉ and ⌊L/P⌋ layers, the longer ones first.
 *
 *   exact      the first layers are dense, as in the model; embedding first, head and MTP last
 *   equal-moe  every layer is one with experts; no embedding, no head
 *
 * L  layers    P  stages
 *
 * Source: counting; equal-moe is how the deployments of arXiv 2604.02110 are timed.
 * Checked by: test/src-shared/models/decode/pipeline-stages.test.ts
 */
export function pipelineStages(
  model: DecoderModel,
  stages: number,
  counting: LayerCounting,
): PipelineStage[] {
  const expertLayers = layersWithExperts(model)
  const dense = counting === 'equal-moe' && expertLayers > 0 ? 0 : model.layers - expertLayers
  const shorter = Math.floor(model.layers / stages)
  const longerStages = model.layers - shorter * stages
  let first = 0
  return Array.from({ length: stages }, (_, stage) => {
    const layers = shorter + (stage < longerStages ? 1 : 0)
    const denseLayers = Math.max(0, Math.min(layers, dense - first))
    first += layers
    return {
      ...{ stage, layers, denseLayers, expertLayers: layers - denseLayers },
      hasEmbedding: counting === 'exact' && stage === 0,
      hasHead: counting === 'exact' && stage === stages - 1,
    }
  })
}
