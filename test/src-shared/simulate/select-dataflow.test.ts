import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { dataflows, dataflowsOf, isFlash } from '#shared/mapping/dataflow.ts'
import { chipPresets, workloadPresets } from '#shared/presets/presets.ts'
import type { AttentionDocument } from '#shared/schema/attention-document.ts'
import type { AttentionRequest } from '#shared/schema/attention-input.ts'
import { estimateAttention } from '#shared/simulate/run-attention.ts'
import { resolveExperiment } from '#shared/simulate/select-dataflow.ts'
import { InfeasibleError } from '#shared/simulate/simulation.ts'
import { arbitraryInput } from '#test/support/make-arbitrary-input.ts'
import { makeAttentionInput } from '#test/support/make-attention-input.ts'
import { makeChipConfig } from '#test/support/make-chip.ts'
import { makeOutcome } from '#test/support/make-outcome.ts'
import { propertyRuns } from '#test/support/make-property-settings.ts'
import { makeWorkload } from '#test/support/make-workload.ts'

vi.setConfig({ testTimeout: 60_000 })

const auto = (changes: Partial<AttentionRequest> = {}) => {
  const document = estimateAttention({ ...makeAttentionInput(), ...changes, dataflow: 'auto' })
  if (document.selection === undefined) throw new Error('there is no selection')
  return { document, selection: document.selection }
}
const configOf = <Config>(presets: readonly { id: string; config: Config }[], id: string) => {
  const preset = presets.find(candidate => candidate.id === id)
  if (preset === undefined) throw new Error(`no preset ${id}`)
  return preset.config
}
const coarse = configOf(chipPresets, 'granularity-8x8')
const layer = configOf(workloadPresets, 'mha-prefill-d128-s512')

describe('auto', () => {
  test('is the run of the fastest dataflow, whichever that is', () => {
    const inputs = fc.sample(arbitraryInput, propertyRuns(60)).filter(({ chip, mapping }) => {
      const { groupX = 1, groupY = 1 } = mapping
      return groupX <= chip.tiles.x && groupY <= chip.tiles.y
    })
    const feasible = inputs.flatMap(input => {
      const documents = dataflows
        .map(dataflow => makeOutcome({ ...input, dataflow }))
        .flatMap(outcome => (outcome.kind === 'document' ? [outcome.document] : []))
      return documents.length === 0 ? [] : [{ input, documents }]
    })
    expect(feasible.length).toBeGreaterThan(20)
    for (const { input, documents } of feasible) {
      const { document, selection } = auto(input)
      expect(document.result.cycles).toBe(Math.min(...documents.map(({ result }) => result.cycles)))
      expect(document.input).toEqual({ ...input, dataflow: selection.chosen })
      expect(document.result).toEqual(estimateAttention(document.input).result)
    }
  })

  test('is refused where the chip has no such group, although Flash could run', () => {
    expect(() => auto({ mapping: { groupY: 33 } })).toThrow(
      new InfeasibleError('mapping.groupY: must be at most 32 (chip.tiles.y), got 33'),
    )
  })

  test('of decode of MLA is FlatMLA with many sequences, and a split FlashMLA with one', () => {
    const chosen = (batch: number) => {
      const workload = { ...configOf(workloadPresets, 'mla-decode-kv4096-sp2'), batch }
      return auto({ chip: configOf(chipPresets, 'flat-2026-4tb'), workload }).selection
    }
    const many = chosen(128)
    expect([many.chosen, many.alternative?.dataflow]).toEqual(['flat-async', 'flash-mla-fair'])
    expect(chosen(1).chosen).toBe('flash-mla-fair')
  })

  test('lists every dataflow once, fastest first, with the factor to the chosen one', () => {
    const { selection, document } = auto({ chip: coarse, workload: layer })
    expect(selection.candidates.map(({ dataflow }) => dataflow).toSorted()).toEqual(
      dataflowsOf(layer).toSorted(),
    )
    expect(selection.candidates[0]).toEqual({
      dataflow: selection.chosen,
      cycles: document.result.cycles,
      seconds: document.result.seconds,
      slowdown: 0,
    })
    for (const candidate of selection.candidates) {
      if ('reason' in candidate) throw new Error(candidate.reason)
      const { dataflow, cycles, slowdown } = candidate
      const alone = estimateAttention(
        makeAttentionInput({ chip: coarse, workload: layer, dataflow }),
      )
      expect(cycles).toBe(alone.result.cycles)
      expect(slowdown).toBeCloseTo(cycles / document.result.cycles - 1, 12)
    }
    const slowdowns = selection.candidates.map(candidate =>
      'slowdown' in candidate ? candidate.slowdown : NaN,
    )
    expect(slowdowns).toEqual(slowdowns.toSorted((a, b) => a - b))
  })

  test('takes Flash for short prefills on a coarse chip, Flat for long ones', () => {
    const shortOne = auto({ chip: coarse, workload: layer })
    const longOne = auto({
      chip: coarse,
      workload: configOf(workloadPresets, 'mha-prefill-d128-s4096'),
    })
    expect(isFlash(shortOne.selection.chosen)).toBe(true)
    expect(isFlash(longOne.selection.chosen)).toBe(false)
    const { length } = shortOne.selection.crossover
    expect(length).toBe(longOne.selection.crossover.length)
    expect(length).toBeGreaterThan(512)
    expect(length).toBeLessThan(4096)
  })

  test('changes places at the crossover, and not one token before', () => {
    const { crossover } = auto({ chip: coarse, workload: layer }).selection
    expect(crossover.changes.length).toBeGreaterThan(0)
    for (const { length, before, after } of crossover.changes) {
      const at = (tokens: number) =>
        auto({ chip: coarse, workload: { ...layer, queryLength: tokens, kvLength: tokens } })
          .selection.chosen
      expect([at(length - 1), at(length)]).toEqual([before, after])
    }
  })

  test('keeps a group that was asked for, which means nothing to Flash', () => {
    const mapping = { groupX: 8, groupY: 8 }
    const { document, selection } = auto({ chip: coarse, workload: layer, mapping })
    const free = auto({ chip: coarse, workload: layer })
    expect(document.input.mapping).toEqual(mapping)
    const cyclesOf = ({ selection: { candidates } }: typeof free, dataflow: string) =>
      candidates.find(candidate => candidate.dataflow === dataflow)
    expect(cyclesOf({ document, selection }, 'flat-hc')).not.toEqual(cyclesOf(free, 'flat-hc'))
    expect(cyclesOf({ document, selection }, 'fa2')).toEqual(cyclesOf(free, 'fa2'))
  })

  test('names the reason of those that cannot run', () => {
    const mapping = { sliceRows: 192, sliceCols: 192 }
    const { selection } = auto({ mapping, workload: makeWorkload({ batch: 2 }) })
    const reasons = selection.candidates.flatMap(candidate =>
      'reason' in candidate ? [`${candidate.dataflow}: ${candidate.reason}`] : [],
    )
    expect(reasons).toHaveLength(2)
    expect(reasons.join('\n')).toMatch(/fa3: a slice of 192 × 192 .* but chip.l1.capacityKiB gives/)
    expect(reasons.join('\n')).toMatch(/flat-async: a slice of 192 × 192/)
  })

  test('is refused with the reason of each where none can run', () => {
    const mapping = { sliceRows: 4096, sliceCols: 4096 }
    expect(() => auto({ mapping })).toThrow(InfeasibleError)
    expect(() => auto({ mapping })).toThrow(/no dataflow can run[^]*\nfa2: a slice of 4096/)
  })

  test('of equals takes hardware collectives and one set of buffers', () => {
    const chip = makeChipConfig({ tiles: { x: 1, y: 1 } })
    const tiny = makeWorkload({ queryLength: 16, kvLength: 16 })
    const { selection } = auto({ chip, workload: tiny })
    const flat = selection.candidates.filter(({ dataflow }) => !isFlash(dataflow))
    expect(flat.map(({ dataflow }) => dataflow)[0]).toBe('flat-hc')
  })
})

describe('a choice that is too close to call', () => {
  const codes = ({ warnings }: AttentionDocument) => warnings.map(({ code }) => code)

  test('is warned of', () => {
    const workload = configOf(workloadPresets, 'mha-decode-d128-kv4096-sp1')
    const { document, selection } = auto({ chip: configOf(chipPresets, 'flat-2026'), workload })
    expect(selection.alternative?.slowdown).toBeLessThan(0.05)
    expect(codes(document)).toContain('close-choice')
  })

  test('is not warned of where one is clearly ahead', () => {
    const workload = configOf(workloadPresets, 'mha-prefill-d128-s4096')
    const { document, selection } = auto({ chip: configOf(chipPresets, 'flat-2026'), workload })
    expect(selection).toMatchObject({ chosen: 'flat-async', alternative: { dataflow: 'fa3' } })
    expect(codes(document)).not.toContain('close-choice')
  })
})

describe('an experiment', () => {
  const { chip, workload, mapping } = makeAttentionInput({ chip: coarse, workload: layer })
  const resolved = (names: AttentionRequest['dataflow'][]) =>
    resolveExperiment({ name: '', chip, workload, mapping, dataflows: names }).dataflows

  test('has the chosen dataflow in the place of auto', () => {
    const { chosen } = auto({ chip: coarse, workload: layer }).selection
    expect(resolved(['flat-hc', 'auto'])).toEqual(['flat-hc', chosen])
  })

  test('runs it once where it was named, too', () => {
    const { chosen } = auto({ chip: coarse, workload: layer }).selection
    expect(resolved(['auto', chosen, 'auto'])).toEqual([chosen])
  })

  test('without auto stays as it is', () => {
    expect(resolved(['flat-hc', 'fa2'])).toEqual(['flat-hc', 'fa2'])
  })
})
