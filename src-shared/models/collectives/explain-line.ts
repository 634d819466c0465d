import type { Chip } from '#shared/hardware/chip.ts'
import { backToBackBarrier, barrier } from '#shared/models/collectives/barrier.ts'
import { barrierExtent, lineOf } from '#shared/models/collectives/collective-kernel.ts'
import { firstBurst, flitsOf } from '#shared/models/collectives/hardware-collectives.ts'
import { PIPELINED_ADD_CYCLES, pieceOf } from '#shared/models/collectives/pipelined-collectives.ts'
import { vectorAdd } from '#shared/models/collectives/software-collectives.ts'
import { DMA_BURST_BYTES, SOFTWARE_COLLECTIVE_CYCLES } from '#shared/models/constants.ts'
import { term } from '#shared/models/explanation-term.ts'
import type { CollectivePart } from '#shared/results/collective-result.ts'
import type { Explanation, ExplanationTerm } from '#shared/results/explanation.ts'
import type { Collective } from '#shared/workload/collective.ts'

type Formula = Pick<Explanation, 'formula' | 'terms' | 'source'>

const MEASURED = 'Measured on the public cycle-level simulator behind arXiv 2604.02110'

/** How the cycles of one stretch of a collective came about. */
export function explainLine(
  field: string,
  part: CollectivePart,
  collective: Collective,
  chip: Chip,
): Explanation {
  const label = part.part === 'barrier' ? 'Barrier between' : `Along the ${part.part}`
  return {
    field,
    label,
    value: part.cycles,
    unit: 'cycles',
    ...formulaOf(part, collective, chip),
  }
}

function formulaOf(part: CollectivePart, collective: Collective, chip: Chip): Formula {
  if (part.part === 'barrier') return barrierFormula(collective, chip)
  const n = term('n', 'tiles in the line', part.participants, '1', `collective.${lineField(part)}`)
  switch (collective.implementation) {
    case 'hw':
      return hardwareFormula(n, collective, chip)
    case 'sw-seq':
      return sequentialFormula(n, collective, chip)
    case 'sw-tree':
      return treeFormula(n, collective, chip)
    case 'sw-pipelined':
      return pipelinedFormula(n, collective, chip)
  }
}

const lineField = ({ part }: CollectivePart): string => (part === 'row' ? 'columns' : 'rows')

function barrierFormula(collective: Collective, chip: Chip): Formula {
  const { x, y } = barrierExtent(collective, chip)
  const { barrierBase, barrierPerTile } = chip.control
  return {
    formula: 'B = b + p · (x + y)',
    terms: [
      term('b', 'fixed part', barrierBase, 'cycles', 'chip.control.barrierBaseCycles'),
      term('p', 'per tile', barrierPerTile, 'cycles', 'chip.control.barrierPerTileCycles'),
      term('x', 'columns that meet', x, '1', 'collective.barriers'),
      term('y', 'rows that meet', y, '1', 'collective.barriers'),
    ],
    source: MEASURED,
  }
}

function hardwareFormula(n: ExplanationTerm, { operation, size }: Collective, chip: Chip): Formula {
  const { multicastBase, reductionBase, collectivePerTile } = chip.control
  const perTile = term(
    'p',
    'per tile',
    collectivePerTile,
    'cycles',
    'chip.control.collectivePerTileCycles',
  )
  const flits = term('F', 'flits', flitsOf(size, chip), '1', '⌈bytes / (linkBits / 8)⌉')
  if (operation !== 'multicast') {
    const base = 'chip.control.reductionBaseCycles'
    return {
      formula: 'T = max(1, b + p · (n − 4)) + 1.02 · F',
      terms: [term('b', 'fixed part', reductionBase, 'cycles', base), perTile, n, flits],
      source: MEASURED,
    }
  }
  const burst = firstBurst(size, chip)
  const burstTime = 'max(1, b − 4 · p) + F1 + L · (n − 1) · h'
  const streams = size > DMA_BURST_BYTES
  return {
    formula: streams ? `T = max(${burstTime}, max(1, b + p · (n − 4)) + F)` : `T = ${burstTime}`,
    terms: [
      term('b', 'fixed part', multicastBase, 'cycles', 'chip.control.multicastBaseCycles'),
      perTile,
      n,
      term('F1', 'flits of the first burst', burst.flits, '1', 'at most 4 KiB'),
      term('L', 'lines of the first burst', burst.lines, '1', '512 B each, one after the other'),
      term('h', 'per hop', chip.noc.hop, 'cycles', 'chip.noc.hopCycles'),
      ...(streams ? [flits] : []),
    ],
    source: MEASURED,
  }
}

const fixed = (value: number) =>
  term('c', 'fixed part of a step', value, 'cycles', 'issue, wait, loop: measured')

function flitsAndAddition(size: Collective['size'], collective: Collective, chip: Chip) {
  const add = vectorAdd(size, collective.elementBytes, chip)
  return [
    term('F', 'flits of a step', flitsOf(size, chip), '1', '⌈bytes / (linkBits / 8)⌉'),
    ...(collective.operation === 'multicast'
      ? []
      : [term('A', 'addition by one vector engine', add, 'cycles', 'chip.vectorEngine')]),
  ]
}

const waitedBarrier = (collective: Collective, chip: Chip): ExplanationTerm => {
  const { x, y } = barrierExtent(collective, chip)
  const value = backToBackBarrier(x, y, chip)
  return term('B0', 'barrier, no transfer in flight', value, 'cycles', 'chip.control')
}

function sequentialFormula(n: ExplanationTerm, collective: Collective, chip: Chip): Formula {
  const sends = collective.operation === 'multicast'
  const { send, fetch } = SOFTWARE_COLLECTIVE_CYCLES
  const { x, y } = barrierExtent(collective, chip)
  return {
    formula: `T = (n − 1) · (c + F${sends ? '' : ' + A'}) + B`,
    terms: [
      n,
      fixed(sends ? send : fetch),
      ...flitsAndAddition(collective.size, collective, chip),
      term('B', 'barrier', barrier(x, y, chip), 'cycles', 'chip.control'),
    ],
    source: MEASURED,
  }
}

function treeFormula(n: ExplanationTerm, collective: Collective, chip: Chip): Formula {
  const sends = collective.operation === 'multicast'
  const { treeSend, treeFetch } = SOFTWARE_COLLECTIVE_CYCLES
  return {
    formula: `T = k · (c + F${sends ? '' : ' + A'} + B0)`,
    terms: [
      term(
        'k',
        `stages, ⌈log2 n⌉ of n = ${String(n.value)}`,
        Math.ceil(Math.log2(n.value)),
        '1',
        n.source,
      ),
      fixed(sends ? treeSend : treeFetch),
      ...flitsAndAddition(collective.size, collective, chip),
      waitedBarrier(collective, chip),
    ],
    source: MEASURED,
  }
}

function pipelinedFormula(n: ExplanationTerm, collective: Collective, chip: Chip): Formula {
  const sends = collective.operation === 'multicast'
  const piece = pieceOf(lineOf(collective, n.value, chip))
  const work = sends ? 'F' : '(F + A + d)'
  return {
    formula: `T = (σ + n${sends ? ' − 1' : ''}) · (c + B0) + (σ + n − 2) · ${work}`,
    terms: [
      term('σ', 'stages', collective.stages, '1', 'collective.stages'),
      n,
      fixed(SOFTWARE_COLLECTIVE_CYCLES.pipelinedStep),
      waitedBarrier(collective, chip),
      ...flitsAndAddition(piece, collective, chip),
      ...(sends ? [] : [term('d', 'fetch and add', PIPELINED_ADD_CYCLES, 'cycles', 'measured')]),
    ],
    source: MEASURED,
  }
}
