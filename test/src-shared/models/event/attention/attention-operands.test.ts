import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Chip } from '#shared/hardware/chip.ts'
import { isFlash, type Dataflow } from '#shared/mapping/dataflow.ts'
import { mapAttention } from '#shared/models/attention/attention-mapping.ts'
import type { KernelShape } from '#shared/models/attention/kernel-shape.ts'
import { AttentionOperands } from '#shared/models/event/attention/attention-operands.ts'
import { groupWork, type RowBlock } from '#shared/models/event/attention/attention-work.ts'
import type { MemoryBlock } from '#shared/models/event/hbm-transfer.ts'
import type { AttentionInput } from '#shared/schema/attention-input.ts'
import { resolveChip } from '#shared/schema/chip.ts'
import { resolveWorkload } from '#shared/schema/workload.ts'
import { elementBytes, headJobs, queryRows } from '#shared/workload/attention.ts'
import { moderateInput } from '#test/support/make-moderate-input.ts'
import { noArtefacts } from '#test/support/make-chip.ts'
import { propertyRuns } from '#test/support/make-property-settings.ts'

interface Kernel {
  readonly shape: KernelShape
  readonly dataflow: Dataflow
  readonly chip: Chip
  readonly operands: AttentionOperands
  readonly work: readonly RowBlock[]
}

function kernelOf(input: AttentionInput, keyTranspose: 'engine' | 'in-memory'): Kernel {
  const chip = resolveChip({
    ...input.chip,
    kernels: { ...input.chip.kernels, keyTranspose },
    referenceArtefacts: noArtefacts,
  })
  const workload = resolveWorkload(input.workload)
  const mapping = mapAttention(input.dataflow, workload, input.mapping, chip)
  if (mapping.kind === 'problem') throw new Error(mapping.message)
  return {
    shape: mapping.shape,
    dataflow: input.dataflow,
    chip,
    operands: new AttentionOperands(mapping.shape, chip, isFlash(input.dataflow)),
    work: groupWork(mapping.shape, chip).flat(),
  }
}

const kernels = fc.tuple(moderateInput, fc.constantFrom('engine' as const, 'in-memory' as const))

const forAll = (claim: (kernel: Kernel) => void, runs = 150) => {
  fc.assert(
    fc.property(kernels, ([input, keyTranspose]) => {
      claim(kernelOf(input, keyTranspose))
    }),
    propertyRuns(runs),
  )
}

/** Contiguous stretches of memory, in order; neighbours are joined, an overlap is an error. */
function stretches(blocks: readonly MemoryBlock[]): [number, number][] {
  const parts = blocks
    .flatMap(({ address, rows, rowBytes, stride }) =>
      Array.from({ length: rows }, (_, row): [number, number] => [
        address + row * stride,
        address + row * stride + rowBytes,
      ]),
    )
    .toSorted(([a], [b]) => a - b)
  const joined: [number, number][] = []
  for (const [start, end] of parts) {
    const before = joined.at(-1)
    if (before !== undefined && start < before[1]) throw new Error(`overlap at ${String(start)}`)
    if (before?.[1] === start) before[1] = end
    else joined.push([start, end])
  }
  return joined
}

function lastOf(work: readonly RowBlock[]): RowBlock {
  const last = work.at(-1)
  if (last === undefined) throw new Error('a kernel without work')
  return last
}

const range = (count: number) => Array.from({ length: count }, (_, index) => index)

/** What the tiles of a group load of K or V for a row block. */
function columnLoads(
  { shape, operands }: Kernel,
  rowBlock: RowBlock,
  operand: 'key' | 'value',
): MemoryBlock[] {
  return range(rowBlock.columnBlocks).flatMap(columnBlock =>
    range(shape.groupX).map(ix => operands[operand]({ rowBlock, columnBlock }, ix)),
  )
}

describe('the work of all groups together', () => {
  test('is every row of every head job, exactly once', () => {
    forAll(({ shape, work }) => {
      const rows = queryRows(shape.workload)
      const covered = stretches(
        work.map(({ job, firstRow, rows: count }) => ({
          set: { channels: [], edges: [], edgeOf: [], bits: 0 },
          address: job * rows + firstRow,
          rows: 1,
          rowBytes: count,
          stride: 0,
        })),
      )
      expect(covered).toEqual([[0, headJobs(shape.workload) * rows]])
    })
  })

  test('needs for each row block every column block that the mask leaves, and none more', () => {
    forAll(({ shape, work }) => {
      const { workload } = shape
      const rowsPerPosition = queryRows(workload) / workload.queryLength
      for (const { firstRow, rows, columns, columnBlocks } of work) {
        expect(columnBlocks).toBe(Math.ceil(columns / (shape.groupX * shape.sliceCols)))
        // The last row sees most: all keys up to its own position, counted from the last one.
        const last = Math.floor((firstRow + rows - 1) / rowsPerPosition)
        const masked = workload.causal ? workload.queryLength - 1 - last : 0
        expect(columns).toBe(Math.max(0, workload.kvLength - masked))
      }
    })
  })
})

describe('the loads and stores of a kernel', () => {
  test('cover Q and O exactly once, one tensor behind the other', () => {
    forAll(({ shape, operands, work }) => {
      const { workload } = shape
      const size =
        headJobs(workload) * queryRows(workload) * workload.headDim * elementBytes(workload.dtype)
      const all = (operand: 'query' | 'output') =>
        stretches(
          work.flatMap(rowBlock => range(shape.groupY).map(iy => operands[operand](rowBlock, iy))),
        )
      expect(all('query')).toEqual([[0, size]])
      expect(all('output')).toEqual([[size, 2 * size]])
    })
  })

  test('cover the column blocks of a row block of K and V exactly once, whole', () => {
    forAll(kernel => {
      const { workload, groupX, sliceCols } = kernel.shape
      const rowBlock = lastOf(kernel.work)
      const element = elementBytes(workload.dtype)
      const job = workload.kvLength * workload.headDim * element
      const tensor = headJobs(workload) * job
      const ownKey =
        2 * headJobs(workload) * queryRows(workload) * workload.headDim * element +
        rowBlock.job * job
      const columns = Math.min(workload.kvLength, rowBlock.columnBlocks * groupX * sliceCols)
      const size = columns * workload.headDim * element
      const values = stretches(columnLoads(kernel, rowBlock, 'value'))
      expect(values).toEqual(size > 0 ? [[ownKey + tensor, ownKey + tensor + size]] : [])
      const isTransposed = kernel.chip.kernels.keyTranspose === 'in-memory'
      const expected: [number, number][] = isTransposed
        ? range(size > 0 ? workload.headDim : 0).map(row => {
            const start = ownKey + row * workload.kvLength * element
            return [start, start + columns * element]
          })
        : [[ownKey, ownKey + size]]
      const isAll = columns === workload.kvLength
      const keys = stretches(columnLoads(kernel, rowBlock, 'key'))
      expect(keys).toEqual(size === 0 ? [] : isAll ? [[ownKey, ownKey + job]] : expected)
    })
  })

  test('of Q and O go to the west and east edges and of K and V to the others', () => {
    forAll(({ operands, work, chip, dataflow }) => {
      const rowBlock = lastOf(work)
      const { west, north, east, south } = chip.hbm.channels
      const bothAxes = west + east > 0 && north + south > 0
      expect(operands.output(rowBlock, 0).set).toEqual(operands.query(rowBlock, 0).set)
      const row = operands.query(rowBlock, 0).set.channels.length
      const column = operands.value({ rowBlock, columnBlock: 0 }, 0).set.channels.length
      const all = west + north + east + south
      expect([row, column]).toEqual(
        isFlash(dataflow) || !bothAxes ? [all, all] : [west + east, north + south],
      )
    })
  })
})
