import type { Chip } from '#shared/hardware/chip.ts'
import {
  RMS_NORM_ROOT_CYCLES,
  TOP_K_INSERTION_CYCLES,
  TOP_K_SCORE_CYCLES,
  VECTOR_STEP_START,
} from '#shared/models/constants.ts'
import { remoteRead } from '#shared/models/memory/lone-transfer.ts'
import { bytes, cycles, type Cycles } from '#shared/units/quantity.ts'
import { elementBytes } from '#shared/workload/attention.ts'
import { INDEX_BYTES, tokenBytes, type VectorWorkload } from '#shared/workload/vector.ts'

/** What a token loads: its row, that of a second operand, what says where to find more, and that. */
export type VectorOperand = 'row' | 'second-row' | 'index' | 'tables' | 'expert-rows'

/** A load from HBM that a token waits for. */
export interface LoadStep {
  readonly kind: 'load'
  readonly operand: VectorOperand
  readonly name: string
  readonly bytes: number
  /**
   * What a lone tile finds in the bank: the row that is wanted, or that of the other operand, which
   * lies at the same place of its own tensor.
   */
  readonly bank: 'open' | 'conflict'
  /** Lines that all tiles read, at the same addresses; 0 where each reads its own. */
  readonly sharedLines: number
  readonly count: number
}

/** Work inside the tile, or between tiles. */
export interface WorkStep {
  readonly kind: 'vector' | 'scalar' | 'noc'
  readonly name: string
  readonly cycles: Cycles
  readonly count: number
}

export type TokenStep = LoadStep | WorkStep

/** What one token takes, in order; its store comes last. */
export interface TokenWork {
  readonly steps: readonly TokenStep[]
  readonly storeBytes: number
  /** Arithmetic operations of the vector engines on single elements. */
  readonly operations: number
}

type WorkChip = Pick<Chip, 'vectorEngine' | 'noc' | 'tiles'>

/**
 * The steps of one token.
 *
 * A vector step takes each operand from L1 and puts its result back, one instruction after the
 * other, so it costs its passes over the row:
 *
 *   t = a · ⌈n/lanes⌉ / rate + m · ⌈n·e/port⌉ + start
 *
 * a      arithmetic instructions        m  loads and stores
 * n      elements of one engine         e  bytes of an element
 * lanes  fpus · 64 bit / element        port  bytes that an engine loads or stores per cycle
 * rate   1; expRate for an exponential  start  of a step, 23 cycles
 *
 *   rms-norm   square and sum, scale: 2 steps, 6 passes, on a single engine, n = w
 *   silu-gate  scale, exp, add, two divisions, times the gate: 6 steps, 19 passes, n = w / engines
 *   add        1 step, 4 passes, n = w / engines
 *   rope       6 operations on the halves of the pairs and bringing them apart: 28 passes, n = w / 2 /
 *              engines
 *   combine    for each of k rows a multiply-add: 1 step, 4 passes, n = w / engines
 *   top-k      a scan over the scores by one scalar core
 *   dispatch   k remote atomic increments, one after the other
 *
 * Source: order of the public kernels of arXiv 2604.02110, issue rules of its vector engine; the
 *   scan of top-k is measured (resources/published/vector-kernels-2026.json).
 * Holds when: a token is computed by one tile, its tokens one after the other.
 * Leaves out: L1 bank conflicts; that a load may overlap with arithmetic.
 * Checked by: the validation sets vector-kernels-2026 and vector-first-tile-2026; dispatch and
 *   combine were never measured.
 */
export function tokenWork(workload: VectorWorkload, chip: WorkChip): TokenWork {
  const { kernel, width, topK, dtype } = workload
  const element = elementBytes(dtype)
  const row = width * element
  const { count: engines, expRate } = chip.vectorEngine
  const load = (
    operand: VectorOperand,
    name: string,
    size: number,
    more: Partial<LoadStep> = {},
  ): LoadStep => ({
    kind: 'load',
    operand,
    name,
    bytes: size,
    bank: 'open',
    sharedLines: 0,
    count: 1,
    ...more,
  })
  const work = (kind: WorkStep['kind'], name: string, time: number, count = 1): WorkStep => ({
    kind,
    name,
    cycles: cycles(time),
    count,
  })
  const passes = passesOn(chip, element)
  const storeBytes = tokenBytes(workload).written
  const shared = Math.ceil(width / engines)
  switch (kernel) {
    case 'rms-norm': {
      const root = workload.data === 'random' ? RMS_NORM_ROOT_CYCLES : 0
      const steps = [
        load('row', 'load of the row', row),
        work('vector', 'squares, their sum, scaling', passes(width, 3, 3, 2)),
        work('scalar', 'square root', root),
      ]
      return { steps, storeBytes, operations: 3 * width }
    }
    case 'silu-gate': {
      const conflict = { bank: 'conflict' } as const
      const exponentials = passes(shared, 1, 0, 0) * (1 / expRate - 1)
      const steps = [
        load('row', 'load of x', row, conflict),
        load('second-row', 'load of the gate', row, conflict),
        work('vector', 'x · sigmoid(x) · gate', passes(shared, 6, 13, 6) + exponentials),
      ]
      return { steps, storeBytes, operations: 6 * width }
    }
    case 'add': {
      const conflict = { bank: 'conflict' } as const
      const steps = [
        load('row', 'load of the first operand', row, conflict),
        load('second-row', 'load of the second operand', row, conflict),
        work('vector', 'addition', passes(shared, 1, 3, 1)),
      ]
      return { steps, storeBytes, operations: width }
    }
    case 'rope': {
      const lines = workload.data === 'zeros' ? 2 * Math.ceil(row / 2 / chip.noc.flit) : 0
      const steps = [
        load('row', 'load of the row', row),
        load('index', 'load of the position', INDEX_BYTES),
        load('tables', 'load of cosines and sines', row, { sharedLines: lines }),
        work('vector', 'rotation', passes(Math.ceil(width / 2 / engines), 6, 22, 6)),
      ]
      return { steps, storeBytes, operations: 3 * width }
    }
    case 'top-k': {
      const steps = [
        load('row', 'load of the scores', row),
        work('scalar', 'selection', selection(workload)),
      ]
      return { steps, storeBytes, operations: 0 }
    }
    case 'dispatch': {
      const steps = [
        load('index', 'load of the experts', topK * INDEX_BYTES),
        work('noc', 'remote atomic increments', atomics(workload, chip)),
      ]
      return { steps, storeBytes, operations: 0 }
    }
    case 'combine': {
      const steps = [
        load('index', 'load of places and weights', topK * (INDEX_BYTES + element)),
        load('expert-rows', 'loads of the rows', row, { bank: 'conflict', count: topK }),
        work('vector', 'multiply-adds', passes(shared, 1, 3, 1), topK),
      ]
      return { steps, storeBytes, operations: topK * width }
    }
  }
}

/** Cycles of instructions over `length` elements: arithmetic, loads and stores, and starts of steps. */
const passesOn =
  ({ vectorEngine }: Pick<Chip, 'vectorEngine'>, element: number) =>
  (length: number, arithmetic: number, transfers: number, steps: number): number => {
    const lanes = Math.max(1, Math.floor((vectorEngine.fpus * 8) / element))
    return (
      arithmetic * Math.ceil(length / lanes) +
      transfers * Math.ceil((length * element) / vectorEngine.loadStore) +
      steps * VECTOR_STEP_START.scale
    )
  }

/**
 * Cycles to choose the k best of E scores: a scan that compares each score with the worst of the
 * chosen ones, and sorts it in where it is better.
 *
 *   t = 11.3 · E + 66 · n,  n = 0 for equal scores, k · (1 + ln(E / k)) for scores in random order
 *
 * n is the expected number of records: the i-th score is among the k best so far with probability
 * min(1, k / i).
 *
 * Source: measured for E = 256 and k = 8 with zero and with random scores on the reference simulator.
 * Leaves out: how the loop itself depends on k; no other E or k was measured.
 */
function selection({ width, topK, data }: VectorWorkload): number {
  const insertions = data === 'random' ? topK * (1 + Math.log(width / topK)) : 0
  return TOP_K_SCORE_CYCLES * width + TOP_K_INSERTION_CYCLES * insertions
}

/**
 * Cycles of the k increments of a token: each travels to the counter of its expert and waits for
 * the old value; or those of all tokens at one counter, which takes one per cycle.
 *
 *   t = max( k · (17 + (X + Y − 2) / 2 · hop) , M · k / E )
 *
 * The counters are spread over the mesh, so the way from a corner is half of both sides on average.
 *
 * Source: a read of another tile's L1 on the reference simulator (resources/published/dma-2026.json).
 * Holds when: experts are chosen equally often.
 */
function atomics({ tokens, topK, experts }: VectorWorkload, chip: WorkChip): number {
  const { tiles } = chip
  const way = (tiles.x + tiles.y - 2) / 2
  const increment = remoteRead(bytes(INDEX_BYTES), way, chip)
  return Math.max(topK * increment, (tokens * topK) / experts)
}
