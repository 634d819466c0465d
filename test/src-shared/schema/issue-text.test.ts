import { describe, expect, test } from 'vitest'
import { chipPresets, workloadPresets } from '#shared/presets/presets.ts'
import { experimentSpecSchema } from '#shared/schema/attention-input.ts'
import { chipSchema } from '#shared/schema/chip.ts'
import { issueLines, type IssueTextOptions } from '#shared/schema/issue-text.ts'
import { workloadSchema } from '#shared/schema/workload.ts'
import { z } from '#shared/schema/zod.ts'

function linesFor(schema: z.ZodType, value: unknown, options: IssueTextOptions = {}): string[] {
  const parsed = schema.safeParse(value)
  return parsed.success ? [] : issueLines(parsed.error, value, options)
}

const chip = chipPresets[0]?.config
const workload = workloadPresets[0]?.config
if (chip === undefined || workload === undefined) throw new Error('there are no presets')

describe('a field of a chip', () => {
  test.each([
    [
      { ...chip, hbm: { ...chip.hbm, efficiency: 1.5 } },
      'chip.hbm.efficiency: must be at most 1, got 1.5',
    ],
    [{ ...chip, clockGHz: 0 }, 'chip.clockGHz: must be at least 0.01, got 0'],
    [{ ...chip, clockGHz: -1 }, 'chip.clockGHz: must be at least 0.01, got -1'],
    [{ ...chip, clockGHz: NaN }, 'chip.clockGHz: must be a finite number, got NaN'],
    [{ ...chip, clockGHz: Infinity }, 'chip.clockGHz: must be a finite number, got Infinity'],
    [{ ...chip, clockGHz: 1e308 }, 'chip.clockGHz: must be at most 10, got 1e+308'],
    [{ ...chip, clockGHz: '1' }, 'chip.clockGHz: must be a finite number, got "1"'],
    [{ ...chip, clockGHz: null }, 'chip.clockGHz: must be a finite number, got null'],
    [{ ...chip, clockGHz: undefined }, 'chip.clockGHz: is missing; must be a finite number'],
    [{ ...chip, tiles: { x: 1e308, y: 1 } }, 'chip.tiles.x: must be at most 256, got 1e+308'],
    [{ ...chip, tiles: { x: 1.5, y: 1 } }, 'chip.tiles.x: must be a whole number, got 1.5'],
    [{ ...chip, tiles: 4 }, 'chip.tiles: must be an object, got 4'],
    [
      { ...chip, noc: { ...chip.noc, linkBits: 12 } },
      'chip.noc.linkBits: must be a multiple of 8, got 12',
    ],
    [{ ...chip, name: '' }, 'chip.name: must have at least 1 character, got ""'],
    [{ ...chip, schemaVersion: 2 }, 'chip.schemaVersion: must be 1, got 2'],
    [
      { ...chip, kernels: { ...chip.kernels, keyTranspose: 'never' } },
      'chip.kernels.keyTranspose: must be one of engine, in-memory, got "never"',
    ],
    [
      { ...chip, referenceArtefacts: { ...chip.referenceArtefacts, causalMaskIgnored: 'no' } },
      'chip.referenceArtefacts.causalMaskIgnored: must be true or false, got "no"',
    ],
  ])('case %#', (value, line) => {
    expect(linesFor(chipSchema, value, { root: 'chip' })).toEqual([line])
  })
})

test('both sides of a 65536x65536 mesh are named', () => {
  expect(linesFor(chipSchema, { ...chip, tiles: { x: 65_536, y: 65_536 } })).toEqual([
    'tiles.x: must be at most 256, got 65536',
    'tiles.y: must be at most 256, got 65536',
  ])
})

test('an unknown key is named, with the known ones', () => {
  const value = { ...chip, noc: { ...chip.noc, linkBit: 1 } }
  expect(linesFor(chipSchema, value, { root: 'chip', schema: chipSchema })).toEqual([
    'chip.noc: unknown key "linkBit"; known are linkBits, hopCycles',
  ])
  expect(linesFor(chipSchema, value)).toEqual(['noc: unknown key "linkBit"'])
})

test('an unknown key inside a list is answered with the keys of an entry', () => {
  const schema = z.strictObject({ runs: z.array(z.strictObject({ id: z.int() })) })
  expect(linesFor(schema, { runs: [{ id: 1, idd: 2 }] }, { schema })).toEqual([
    'runs[0]: unknown key "idd"; known are id',
  ])
})

test('a rule across fields keeps its own words', () => {
  expect(linesFor(workloadSchema, { ...workload, heads: 12, kvHeads: 8, variant: 'gqa' })).toEqual([
    'kvHeads: must divide heads: 12 heads cannot be shared out over 8 KV heads; allowed are 1, 2, 3, 4, 6, 12',
  ])
})

test('the place in a list is part of the field', () => {
  const spec = { name: '', chip, workload, mapping: {}, dataflows: ['fa3', 'fa4'] }
  expect(linesFor(experimentSpecSchema, spec)).toEqual([
    'dataflows[1]: must be one of fa2, fa3, flat-sc, flat-tc, flat-hc, flat-async, flash-mla, flash-mla-fair, got "fa4"',
  ])
})

test('a list that is too long says how many entries it may have', () => {
  expect(linesFor(z.array(z.int()).max(1), [1, 2])).toEqual([
    'input: must have at most 1 entry, got a list',
  ])
})

test('the value as a whole is called input, or by its name', () => {
  expect(linesFor(z.null(), 3)).toEqual(['input: must be null, got 3'])
  expect(linesFor(z.null(), 3, { root: 'chip' })).toEqual(['chip: must be null, got 3'])
})

describe('a union', () => {
  const byKind = z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('run'), id: z.int() }),
    z.strictObject({ kind: z.literal('stop') }),
  ])

  test('names the kinds that exist', () => {
    expect(linesFor(byKind, { kind: 'go' })).toEqual(['kind: must be one of run, stop, got "go"'])
    expect(linesFor(byKind, {})).toEqual(['kind: is missing; must be one of run, stop'])
  })

  test('reports the fields of the kind that was chosen', () => {
    expect(linesFor(byKind, { kind: 'run', id: 'x' })).toEqual([
      'id: must be a finite number, got "x"',
    ])
  })

  test('of simple types lists them all', () => {
    expect(linesFor(z.union([z.string(), z.number()]), true)).toEqual([
      'input: must be text or must be a finite number, got true',
    ])
  })

  test('reports the problems inside the one alternative that has the right shape', () => {
    const schema = z.union([z.string(), z.strictObject({ size: z.int().max(3) })])
    expect(linesFor(schema, { size: 4 })).toEqual(['size: must be at most 3, got 4'])
  })
})

test('a long text is cut', () => {
  const [line] = linesFor(z.int(), 'x'.repeat(100_000))
  expect(line?.length).toBeLessThan(120)
})

test('a key named like a part of every object is no known field', () => {
  expect(linesFor(z.strictObject({ toString: z.int() }), {})).toEqual([
    'toString: is missing; must be a finite number',
  ])
})
