import dma from '#resources/published/dma-2026.json' with { type: 'json' }
import unicast from '#resources/published/noc-unicast-calibration-2024.json' with { type: 'json' }
import { tileCount, type Chip } from '#shared/hardware/chip.ts'
import { DMA_POLL_CYCLES } from '#shared/models/constants.ts'
import { transpose } from '#shared/models/engines/transpose-engine.ts'
import { concurrentLoad, operandHome } from '#shared/models/memory/hbm.ts'
import {
  localTransfer,
  loneHbmRead,
  loneHbmWrite,
  remoteRead,
  remoteWrite,
} from '#shared/models/memory/lone-transfer.ts'
import { unicastPattern } from '#shared/models/noc/unicast-pattern.ts'
import { resolveChip } from '#shared/schema/chip.ts'
import { bytes, type Bytes, type Cycles } from '#shared/units/quantity.ts'
import { meshOf } from '#shared/validation/published-input.ts'
import {
  compared,
  exactly,
  validationSet,
  type ValidationRow,
  type ValidationSet,
} from '#shared/validation/validation-set.ts'

/** Loads from here on take longer than the latency of a row that happens to be closed. */
const LONG = 16 * 1024

interface Transfer {
  readonly name: string
  readonly size: Bytes
  readonly chip: Chip
  /** To the edge below row 0. */
  readonly edgeHops: number
  /** To the other tile: tile 0, or the last one from there. */
  readonly tileHops: number
  readonly measured: (column: string) => number
}

const transfers = (): Transfer[] =>
  dma.rows.map(row => {
    const measured = (column: string) => row[dma.columns.indexOf(column)] ?? NaN
    const side = measured('mesh')
    const channels = measured('channels')
    const tile = measured('tile')
    const [x, y] = [tile % side, Math.floor(tile / side)]
    return {
      name: `${String(measured('bytes'))} B, tile ${String(tile)} of ${String(side)} x ${String(side)}, ${String(channels)} ch`,
      size: bytes(measured('bytes')),
      chip: resolveChip(meshOf(side, channels)),
      edgeHops: y,
      tileHops: tile === 0 ? 2 * (side - 1) : x + y,
      measured,
    }
  })

type Model = (transfer: Transfer) => Cycles

/** The transfers that a column of the table has, against a model. */
const rowsOf = (
  chosen: readonly Transfer[],
  column: string,
  label: string,
  model: Model,
): ValidationRow[] =>
  chosen.map(transfer =>
    compared(`${label}, ${transfer.name}`, 'cycles', model(transfer), transfer.measured(column)),
  )

const read: Model = ({ size, edgeHops, chip }) => loneHbmRead(size, edgeHops, chip)
const twoReads: Model = ({ size, edgeHops, chip }) => loneHbmRead(bytes(2 * size), edgeHops, chip)

const patterns = { allToOne: 'all-to-one', dialog: 'dialog', roundShift: 'round-shift' } as const

/** All tiles of a mesh read the same amount at once. */
function allTilesRead(side: number, channels: number, size: number): Cycles {
  const chip = resolveChip(meshOf(side, channels))
  return concurrentLoad(
    {
      home: operandHome('column', chip),
      loaders: tileCount(chip),
      loadersPerLine: side,
      bytesPerLoader: bytes(size),
      dmaRows: 1,
    },
    chip,
  )
}

function unicastRows(): ValidationRow[] {
  const chip = { noc: { ...resolveChip(meshOf(4, 4)).noc, flit: bytes(unicast.linkBytes) } }
  return (Object.keys(patterns) as (keyof typeof patterns)[]).flatMap(column =>
    unicast.rows.map(row => {
      const side = row[0] ?? NaN
      return compared(
        `${patterns[column]}, ${String(side)} x ${String(side)} tiles`,
        'cycles',
        unicastPattern(patterns[column], bytes(unicast.bytesPerTile), side, chip),
        row[unicast.columns.indexOf(column)] ?? NaN,
      )
    }),
  )
}

/** Single transfers of the DMA, transpositions, loads of all tiles, and patterns on the mesh. */
export function validateTransfers(): ValidationSet[] {
  const all = transfers()
  const long = all.filter(({ size }) => size >= LONG)
  const short = all.filter(({ size }) => size < LONG)
  const source = dma.source
  return [
    validationSet({
      id: 'dma-hbm-reads-long-2026',
      title: 'HBM loads of one tile, 16 KiB and more',
      source,
      target: { meanAbsoluteError: 0.03, largestError: 0.3 },
      rows: [...rowsOf(long, 'hbmRead', 'one', read), ...rowsOf(long, 'twoReads', 'two', twoReads)],
    }),
    validationSet({
      id: 'dma-hbm-reads-short-2026',
      title: 'HBM loads of one tile, under 16 KiB',
      source,
      // One load in five meets a closed row or a refresh, which is twice to three times as long.
      target: { meanAbsoluteError: 0.2, largestError: 0.75 },
      rows: [
        ...rowsOf(short, 'hbmRead', 'one', read),
        ...rowsOf(short, 'twoReads', 'two', twoReads),
      ],
    }),
    validationSet({
      id: 'dma-hbm-writes-2026',
      title: 'HBM stores of one tile',
      source,
      target: { meanAbsoluteError: 0.03, largestError: 0.1 },
      rows: rowsOf(all, 'hbmWrite', 'store', ({ size, edgeHops, chip }) =>
        loneHbmWrite(size, edgeHops, chip),
      ),
    }),
    validationSet({
      id: 'dma-tiles-2026',
      title: 'Reads and writes from tile to tile',
      source,
      target: { meanAbsoluteError: 0.03, largestError: 0.1 },
      rows: [
        ...rowsOf(all, 'remoteRead', 'read', ({ size, tileHops, chip }) =>
          remoteRead(size, tileHops, chip),
        ),
        ...rowsOf(all, 'remoteWrite', 'write', ({ size, tileHops, chip }) =>
          remoteWrite(size, tileHops, chip),
        ),
      ],
    }),
    validationSet({
      id: 'dma-local-2026',
      title: 'Copies and zeros within L1',
      source,
      target: { meanAbsoluteError: 0.03, largestError: 0.1 },
      rows: [
        ...rowsOf(all, 'localCopy', 'copy', ({ size, chip }) => localTransfer(size, 'copy', chip)),
        ...rowsOf(all, 'fill', 'zeros', ({ size, chip }) => localTransfer(size, 'zeros', chip)),
      ],
    }),
    validationSet({
      id: 'dma-transpose-2026',
      title: 'Transpositions in L1, without issue and polling',
      source,
      target: exactly,
      rows: dma.transpose.rows.map(([rows = 0, columns = 0, cycles = 0]) =>
        compared(
          `${String(rows)} x ${String(columns)}`,
          'cycles',
          transpose(rows, columns, resolveChip(meshOf(4, 4)).l1.bandwidth, bytes(2)) -
            DMA_POLL_CYCLES,
          cycles,
        ),
      ),
    }),
    validationSet({
      id: 'dma-all-tiles-read-2026',
      title: 'All tiles load from HBM at once',
      source,
      target: { meanAbsoluteError: 0.05, largestError: 0.1 },
      rows: dma.allTilesRead.rows.map(([side = 0, channels = 0, size = 0, cycles = 0]) =>
        compared(
          `${String(side)} x ${String(side)} tiles, ${String(channels)} ch, ${String(size)} B each`,
          'cycles',
          allTilesRead(side, channels, size),
          cycles,
        ),
      ),
    }),
    validationSet({
      id: 'noc-unicast-2024',
      title: 'Unicast patterns on meshes of 1 to 32 tiles on a side, 512 KiB each',
      source: unicast.source,
      target: { meanAbsoluteError: 0.06, largestError: 0.25 },
      rows: unicastRows(),
    }),
  ]
}
