import { tileCount, type Chip } from '#shared/hardware/chip.ts'
import { explainHbmUtilization, explainSeconds } from '#shared/models/explain-definitions.ts'
import { term } from '#shared/models/explanation-term.ts'
import { explainTokenBytes } from '#shared/models/vector/explain-token-bytes.ts'
import {
  boundCycles,
  cyclesByComponent,
  type VectorKernel,
} from '#shared/models/vector/vector-kernel.ts'
import type { VectorPart } from '#shared/models/vector/vector-parts.ts'
import type { Explanation, ExplanationTerm } from '#shared/results/explanation.ts'
import { vectorComponentLabels, vectorComponents } from '#shared/results/vector-result.ts'
import { durationOf } from '#shared/units/convert.ts'
import { cycles } from '#shared/units/quantity.ts'

const KERNELS = 'Order of the public kernels of arXiv 2604.02110'

/** How each reported number of a vector kernel came about, with the values filled in. */
export function explainVector(kernel: VectorKernel, chip: Chip): Explanation[] {
  const { result, time } = kernel
  return [
    explainCycles(kernel, chip),
    explainSeconds(result, chip),
    explainParts('cyclesFirstTile', 'Cycles until tile 0 is through', time.firstTile),
    explainAllTiles(kernel),
    ...explainTokenBytes(kernel),
    explainHbm(kernel, chip),
    explainVectorUtilization(kernel),
    explainVectorBound(kernel),
    ...explainBreakdown(kernel, chip),
    ...explainMapping(kernel, chip),
  ]
}

function explainCycles({ result, timing }: VectorKernel, chip: Chip): Explanation {
  return {
    field: 'cycles',
    label: timing === 'first-tile' ? 'Cycles of tile 0' : 'Runtime in cycles',
    value: result.cycles,
    unit: 'cycles',
    formula: `T = ${result.breakdown.map(({ component }) => component).join(' + ')}`,
    terms: result.breakdown.map(({ component, seconds }) =>
      term(
        component,
        vectorComponentLabels[component],
        seconds * chip.clock,
        'cycles',
        `result.breakdown.${component}`,
      ),
    ),
    source:
      timing === 'first-tile'
        ? 'The timer of the public kernels, which tile 0 reads when it is through'
        : 'Until all tiles are through, with the barriers that open and close the kernel',
  }
}

/** A sum of operations; equal ones at the same place stand once, with their count. */
function sumTerms(parts: readonly VectorPart[]): {
  readonly formula: string
  readonly terms: ExplanationTerm[]
} {
  const present = parts.filter(part => part.cycles > 0 && part.count > 0)
  if (present.length === 0) return { formula: '0', terms: [] }
  return {
    formula: present.map((_, index) => `n${String(index + 1)} · t${String(index + 1)}`).join(' + '),
    terms: present.flatMap((part, index) => {
      const name = part.place === '' ? part.name : `${part.name} ${part.place}`
      return [
        term(`n${String(index + 1)}`, `times: ${name}`, part.count, '1', KERNELS),
        term(`t${String(index + 1)}`, name, part.cycles, 'cycles', sources[part.component]),
      ]
    }),
  }
}

const sources = {
  vector: 'a · ⌈n/lanes⌉ + m · ⌈n · e/port⌉ + 23 for each step; chip.vectorEngine',
  scalar: 'measured scan of the scores, insertions, square root',
  hbm: 'issue + latency + max( own flits , share of the queue ); chip.hbm, chip.noc',
  noc: 'max( k · (17 + way) , tokens · k / experts ); chip.noc',
  other: 'barrier with no transfer in flight; chip.control',
} as const

function explainParts(field: string, label: string, parts: readonly VectorPart[]): Explanation {
  const { formula, terms } = sumTerms(parts)
  return {
    field,
    label,
    value: parts.reduce((sum, part) => sum + part.cycles * part.count, 0),
    unit: 'cycles',
    formula: `T = ${formula}`,
    terms,
    source: KERNELS,
  }
}

function explainAllTiles(kernel: VectorKernel): Explanation {
  const { result, time } = kernel
  const entry = explainParts('cyclesAllTiles', 'Cycles until all tiles are through', time.allTiles)
  const wait = Math.max(0, result.cyclesAllTiles - entry.value)
  if (wait === 0) return entry
  return {
    ...entry,
    value: result.cyclesAllTiles,
    formula: `${entry.formula} + w`,
    terms: [
      ...entry.terms,
      term('w', 'rest of the bytes at the peak, or of tile 0', wait, 'cycles', 'chip.hbm'),
    ],
  }
}

/** Utilisations are of the time until all tiles are through, whichever timer was asked for. */
function explainHbm({ result }: VectorKernel, chip: Chip): Explanation {
  const seconds = durationOf(cycles(result.cyclesAllTiles), chip.clock)
  const entry = explainHbmUtilization({ ...result, seconds })
  const terms = entry.terms.map(one =>
    one.symbol === 't'
      ? { ...one, name: 'until all tiles are through', source: 'result.cyclesAllTiles / f' }
      : one,
  )
  return { ...entry, terms }
}

function explainVectorUtilization({ result, workload, time, lanes }: VectorKernel): Explanation {
  return {
    field: 'vectorUtilization',
    label: 'Vector utilisation',
    value: result.vectorUtilization,
    unit: '1',
    formula: 'U = M · o / (L · T)',
    terms: [
      term('M', 'tokens', workload.tokens, '1', 'workload.tokens'),
      term('o', 'arithmetic operations of a token', time.work.operations, '1', KERNELS),
      term('L', 'lanes of the chip', lanes, '1', 'tiles · count · fpus · 64 bit / element'),
      term('T', 'cycles of all tiles', result.cyclesAllTiles, 'cycles', 'result.cyclesAllTiles'),
    ],
    source: 'Definition; a multiply-add is one operation of a lane',
  }
}

function explainVectorBound({ result, parts }: VectorKernel): Explanation {
  const spent = boundCycles(cyclesByComponent(parts))
  return {
    field: 'bound',
    label: `Share of the runtime: ${result.bound}`,
    value: result.cycles > 0 ? spent[result.bound] / result.cycles : 0,
    unit: '1',
    formula: 'the largest of the four parts of the runtime',
    terms: [
      term(
        'compute',
        'vector engines and scalar cores',
        spent.compute,
        'cycles',
        'result.breakdown',
      ),
      term('memory', 'HBM', spent.memory, 'cycles', 'result.breakdown'),
      term('noc', 'remote increments', spent.noc, 'cycles', 'result.breakdown'),
      term('synchronization', 'barriers', spent.synchronization, 'cycles', 'result.breakdown'),
    ],
    source: 'Definition',
  }
}

const explainBreakdown = ({ result, parts }: VectorKernel, chip: Chip): Explanation[] =>
  vectorComponents.map(component => {
    const { formula, terms } = sumTerms(parts.filter(part => part.component === component))
    const seconds = result.breakdown.find(part => part.component === component)?.seconds ?? 0
    return {
      field: `breakdown.${component}`,
      label: vectorComponentLabels[component],
      value: seconds,
      unit: 's',
      formula: `t = (${formula}) / f`,
      terms: [...terms, term('f', 'clock', chip.clock, 'Hz', 'chip.clockGHz')],
      source: KERNELS,
    }
  })

function explainMapping({ result, workload }: VectorKernel, chip: Chip): Explanation[] {
  const { activeTiles, tokensPerTile, enginesPerToken } = result.mapping
  const tokens = term('M', 'tokens', workload.tokens, '1', 'workload.tokens')
  const tiles = term('N', 'tiles', tileCount(chip), '1', 'chip.tiles.x · chip.tiles.y')
  const entry = (field: string, label: string, value: number, formula: string): Explanation => ({
    field: `mapping.${field}`,
    label,
    value,
    unit: '1',
    formula,
    terms: [tokens, tiles],
    source: 'The tokens go round the tiles',
  })
  return [
    entry('activeTiles', 'Tiles that have a token', activeTiles, 'a = min(M, N)'),
    entry('tokensPerTile', 'Tokens of the busiest tile', tokensPerTile, 'r = ⌈M / N⌉'),
    entry(
      'enginesPerToken',
      'Vector engines of a token',
      enginesPerToken,
      'all engines of a tile; one for rms-norm, none for top-k and dispatch',
    ),
  ]
}
