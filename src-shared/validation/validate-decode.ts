import runs from '#resources/published/decode-runs-2026.json' with { type: 'json' }
import type { Engine } from '#shared/schema/engine-field.ts'
import { SCHEMA_VERSION } from '#shared/schema/schema-version.ts'
import { estimateAttention } from '#shared/simulate/run-attention.ts'
import { meshOf } from '#shared/validation/published-input.ts'
import { compared, validationSet, type ValidationSet } from '#shared/validation/validation-set.ts'

/** Decode of MHA and GQA with FlatAsync; the mapping is that of the tiling rule. */
export function validateDecode(engine: Engine): ValidationSet[] {
  const isEvent = engine === 'event'
  return [
    validationSet({
      id: isEvent ? 'decode-runs-event-2026' : 'decode-runs-2026',
      title: `Decode of MHA and GQA on the reference simulator${isEvent ? ', event engine' : ''}`,
      source: runs.source,
      target: { meanAbsoluteError: 0.06, largestError: 0.15 },
      rows: runs.rows.map(row => {
        const cell = (column: string) => row[runs.columns.indexOf(column)]
        const count = (column: string) => Number(cell(column))
        const { result } = estimateAttention({
          kind: 'attention',
          engine,
          chip: meshOf(count('mesh'), count('channels')),
          dataflow: 'flat-async',
          mapping: {},
          workload: {
            schemaVersion: SCHEMA_VERSION,
            name: 'published',
            variant: cell('variant') === 'gqa' ? 'gqa' : 'mha',
            phase: 'decode',
            batch: count('batch'),
            heads: count('heads'),
            kvHeads: count('kvHeads'),
            headDim: 128,
            queryLength: 1,
            kvLength: count('kvLength'),
            speculativeLength: count('speculativeLength'),
            causal: false,
            dtype: 'fp16',
          },
        })
        const name =
          `${String(cell('variant'))} ${String(count('mesh'))}x${String(count('mesh'))}, ` +
          `${String(count('batch') * count('kvHeads'))} jobs of KV ${String(count('kvLength'))}`
        return compared(name, 'cycles', result.cycles, count('cycles'))
      }),
    }),
  ]
}
