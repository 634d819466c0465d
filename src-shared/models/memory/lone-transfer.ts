import type { Chip } from '#shared/hardware/chip.ts'
import {
  DMA_BURST_BYTES,
  DMA_LINE_BYTES,
  DMA_POLL_CYCLES,
  HBM_ROW_LATENCY,
  LOAD_ISSUE_CYCLES,
  POSTED_WRITE_RATE,
  REMOTE_READ_CYCLES,
  REMOTE_WRITE_CYCLES,
} from '#shared/models/constants.ts'
import { operandHome } from '#shared/models/memory/hbm.ts'
import { bytes, cycles, type Bytes, type Cycles } from '#shared/units/quantity.ts'

type TransferChip = Pick<Chip, 'hbm' | 'clock' | 'noc' | 'tiles' | 'control'>

const flitsOf = (size: Bytes, chip: Pick<Chip, 'noc'>): number => Math.ceil(size / chip.noc.flit)

/**
 * Cycles of an HBM load of a tile that has the chip for itself, issue and wait included.
 *
 *   t = 18 + open + h · hop + max( flits , s / (η · B) )
 *
 * open  latency of an open row, 0.21 of hbm.latency        h  hops to the edge
 * s     bytes        η  hbm.efficiency        B  peak of the channels of a column operand
 *
 * Source: measured on the reference simulator (resources/published/dma-2026.json).
 * Holds when: the row is open and the channel does not refresh; else 55 to 110 cycles more.
 * Checked by: the validation sets dma-hbm-reads-*-2026.
 */
export function loneHbmRead(size: Bytes, hops: number, chip: TransferChip): Cycles {
  if (size <= 0) return cycles(0)
  const { bandwidth } = operandHome('column', chip)
  return cycles(
    LOAD_ISSUE_CYCLES +
      HBM_ROW_LATENCY.open * chip.hbm.latency +
      hops * chip.noc.hop +
      Math.max(flitsOf(size, chip), size / (chip.hbm.efficiency * bandwidth)),
  )
}

/**
 * Cycles of a posted HBM store of a tile that has the chip for itself, issue and wait included.
 *
 *   t = max( 14 + lines(s₁) · (h · hop + 1) + flits(s₁) , 15 + h · hop + max( flits , s / (w · η · B) ) )
 *
 * h   hops, at least one: to the edge        s₁  the first burst, at most 4 KiB
 * w   1.33, the rate of the write buffers over that of the channels
 * The DMA sends a burst in lines of 512 bytes, each after the one before has arrived; bursts overlap.
 *
 * Source: measured on the reference simulator (resources/published/dma-2026.json).
 * Holds when: the write buffers are empty.
 * Checked by: the validation set dma-hbm-writes-2026.
 */
export function loneHbmWrite(size: Bytes, hops: number, chip: TransferChip): Cycles {
  if (size <= 0) return cycles(0)
  const { bandwidth } = operandHome('column', chip)
  const channels = size / (POSTED_WRITE_RATE * chip.hbm.efficiency * bandwidth)
  const way = Math.max(1, hops) * chip.noc.hop
  return cycles(
    Math.max(
      REMOTE_WRITE_CYCLES + 2 + burstByLines(size, way, chip),
      REMOTE_WRITE_CYCLES + 3 + way + Math.max(flitsOf(size, chip), channels),
    ),
  )
}

/**
 * Cycles of a read of another tile's L1, issue and wait included.
 *
 *   t = 15 + h · hop + flits + ⌈s₁ / 512⌉
 *
 * h  hops between the tiles        s₁  the first burst, which is written to L1 in lines of 512 bytes
 *
 * Source: measured on the reference simulator (resources/published/dma-2026.json).
 * Holds when: no other flits use the links.
 * Checked by: the validation set dma-tiles-2026.
 */
export function remoteRead(size: Bytes, hops: number, chip: Pick<Chip, 'noc'>): Cycles {
  if (size <= 0) return cycles(0)
  return cycles(
    REMOTE_READ_CYCLES + hops * chip.noc.hop + flitsOf(size, chip) + linesOf(firstBurst(size)),
  )
}

/**
 * Cycles of a write to another tile's L1, issue and wait included.
 *
 *   t = max( 12 + lines(s₁) · (h · hop + 1) + flits(s₁) , 14 + h · hop + flits )
 *
 * h  hops between the tiles        s₁  the first burst, as in `loneHbmWrite`
 *
 * Source: measured on the reference simulator (resources/published/dma-2026.json).
 * Holds when: no other flits use the links.
 * Checked by: the validation set dma-tiles-2026.
 */
export function remoteWrite(size: Bytes, hops: number, chip: Pick<Chip, 'noc'>): Cycles {
  if (size <= 0) return cycles(0)
  const way = hops * chip.noc.hop
  return cycles(
    Math.max(
      REMOTE_WRITE_CYCLES + burstByLines(size, way, chip),
      REMOTE_WRITE_CYCLES + 2 + way + flitsOf(size, chip),
    ),
  )
}

/**
 * Cycles of a copy within L1, or of zeros into it, by the DMA alone: t = 11 + s / L1 bandwidth, and
 * one more for zeros.
 *
 * Source: measured on the reference simulator (resources/published/dma-2026.json).
 * Leaves out: the cycles of the core around it, which `control.dmaLocal` has.
 * Checked by: the validation set dma-local-2026.
 */
export function localTransfer(size: Bytes, kind: 'copy' | 'zeros', chip: Pick<Chip, 'l1'>): Cycles {
  if (size <= 0) return cycles(0)
  return cycles(DMA_POLL_CYCLES + (kind === 'zeros' ? 1 : 0) + size / chip.l1.bandwidth)
}

const firstBurst = (size: Bytes): Bytes => bytes(Math.min(size, DMA_BURST_BYTES))
const linesOf = (size: Bytes): number => Math.ceil(size / DMA_LINE_BYTES)

/** The first burst line by line: each line is one cycle, its flits and its way. */
const burstByLines = (size: Bytes, way: number, chip: Pick<Chip, 'noc'>): number =>
  linesOf(firstBurst(size)) * (way + 1) + flitsOf(firstBurst(size), chip)
