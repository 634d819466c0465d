import figure from '#resources/published/fig1-flops-decode.json' with { type: 'json' }
import {
  comparedInPoints,
  validationSet,
  type ValidationSet,
} from '#shared/validation/validation-set.ts'
import { attentionShare, type DecoderLayer } from '#shared/workload/decoder-layer.ts'

const { layers } = figure

/** What the widened types of a JSON file lose: which kind of attention a layer has. */
const latent = (layer: (typeof layers)['deepseek-v3-16b']): DecoderLayer => ({
  ...layer,
  attention: { ...layer.attention, kind: 'latent' },
})

const models: readonly (readonly [name: string, layer: DecoderLayer])[] = [
  [
    'qwen-7b',
    { ...layers['qwen-7b'], attention: { ...layers['qwen-7b'].attention, kind: 'grouped' } },
  ],
  ['deepseek-v3-16b', latent(layers['deepseek-v3-16b'])],
  ['deepseek-v3-671b', latent(layers['deepseek-v3-671b'])],
]

/** Fig. 1: how much of the FLOPs of a layer is attention. */
export function validateFlops(): ValidationSet[] {
  return [
    validationSet({
      id: 'fig1-flops-decode',
      title: figure.title,
      source: figure.source,
      // The figure is rounded to 0.01 points.
      target: { meanAbsoluteError: 0.00005, largestError: 0.0001 },
      rows: figure.rows.flatMap(([kvLength = 0, ...shares]) =>
        models.map(([name, layer], index) =>
          comparedInPoints(
            `${name}, KV ${String(kvLength)}`,
            100 * attentionShare(layer, kvLength),
            shares[index] ?? Number.NaN,
          ),
        ),
      ),
    }),
  ]
}
