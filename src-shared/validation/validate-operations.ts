import operations from '#resources/published/operation-durations-2026.json' with { type: 'json' }
import type { Chip } from '#shared/hardware/chip.ts'
import { barrier } from '#shared/models/collectives/barrier.ts'
import {
  hardwareMulticast,
  hardwareReduction,
} from '#shared/models/collectives/hardware-collectives.ts'
import { matrixOperation } from '#shared/models/engines/matrix-engine.ts'
import { transpose } from '#shared/models/engines/transpose-engine.ts'
import { softmaxSteps } from '#shared/models/engines/vector-engine.ts'
import {
  allChannels,
  concurrentLoad,
  concurrentStore,
  type ConcurrentLoad,
} from '#shared/models/memory/hbm.ts'
import { resolveChip } from '#shared/schema/chip.ts'
import { bytes } from '#shared/units/quantity.ts'
import { meshOf } from '#shared/validation/published-input.ts'
import { compared, validationSet, type ValidationSet } from '#shared/validation/validation-set.ts'

const SLICE = 128
const CHANNELS = 4
const ELEMENT = bytes(2)

/** `256 B` or `32 KiB`. */
function sizeIn(operation: string): number {
  const [, count, unit] = /(\d+) (B|KiB)/.exec(operation) ?? []
  return Number(count) * (unit === 'KiB' ? 1024 : 1)
}

/** Loads and stores of all tiles, or of one in each row and column. */
function transferCycles(operation: string, side: number, chip: Chip): number {
  const loaders = operation.endsWith('by all tiles') ? side * side : side
  const load: ConcurrentLoad = {
    home: allChannels(chip),
    loaders,
    loadersPerLine: loaders / side,
    bytesPerLoader: bytes(sizeIn(operation)),
    dmaRows: 1,
  }
  return operation.startsWith('load') ? concurrentLoad(load, chip) : concurrentStore(load, chip)
}

/** A collective along a row or column of a group that takes the whole mesh. */
function collectiveCycles(operation: string, side: number, chip: Chip): number {
  const collective = operation.startsWith('multicast') ? hardwareMulticast : hardwareReduction
  const end = operation.endsWith('and a barrier') ? barrier(side, side, chip) : 0
  return collective(bytes(sizeIn(operation)), side, chip) + end
}

/** What a tile does by itself, with a slice of 128 × 128 and a head dimension of 128 in FP16. */
function tileCycles(operation: string, chip: Chip): number {
  if (operation === 'matrix operation') {
    return matrixOperation(
      { rows: SLICE, contraction: SLICE, columns: SLICE },
      {
        engine: chip.matrixEngine,
        l1Bandwidth: chip.l1.bandwidth,
        elementBytes: ELEMENT,
        writesOutput: false,
      },
    )
  }
  if (operation === 'transposition of K') {
    return transpose(SLICE, SLICE, chip.l1.bandwidth, ELEMENT)
  }
  // The trace has the transfer alone, without the issue and the polling around it.
  if (operation.startsWith('clearing') || operation.startsWith('copy')) {
    return sizeIn(operation) / chip.l1.bandwidth
  }
  const steps = softmaxSteps(SLICE, SLICE, SLICE, {
    engine: chip.vectorEngine,
    elementBytes: ELEMENT,
    partialRowsSkipped: true,
  })
  if (operation === 'row maxima') return steps.rowMax
  if (operation === 'exponentials and row sums') return steps.exp + steps.rowSum
  if (operation === 'rescaling or division of O') return steps.rescale
  throw new Error(`unknown operation ${operation}`)
}

function operationCycles(operation: string, side: number): number {
  const chip = resolveChip(meshOf(side, CHANNELS))
  if (/^(load|store)/.test(operation)) return transferCycles(operation, side, chip)
  if (/^(multicast|maximum|sum)/.test(operation)) return collectiveCycles(operation, side, chip)
  return tileCycles(operation, chip)
}

/** The steps that the attention models are made of, one by one, inside whole kernels. */
export function validateOperations(): ValidationSet[] {
  const rows = operations.rows.map(([kernel, side, operation, , cycles]) => ({
    isTransfer: /^(load|store)/.test(String(operation)),
    row: compared(
      `${String(kernel)}, ${String(side)} x ${String(side)} tiles: ${String(operation)}`,
      'cycles',
      operationCycles(String(operation), Number(side)),
      Number(cycles),
    ),
  }))
  return [
    validationSet({
      id: 'operation-durations-2026',
      title: 'Operations of a tile inside attention kernels',
      source: operations.source,
      target: { meanAbsoluteError: 0.06, largestError: 0.15 },
      rows: rows.filter(({ isTransfer }) => !isTransfer).map(({ row }) => row),
    }),
    validationSet({
      id: 'memory-operations-2026',
      title: 'Loads and stores of a tile inside attention kernels',
      source: operations.source,
      // Times of loads and stores in lock-step. Tiles that work alone have drifted apart by the time
      // they store; the models of the kernels blend that in (lockStepShare), a single step does not.
      target: { meanAbsoluteError: 0.12, largestError: 0.4 },
      rows: rows.filter(({ isTransfer }) => isTransfer).map(({ row }) => row),
    }),
  ]
}
