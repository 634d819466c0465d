import type { Chip } from '#shared/hardware/chip.ts'
import type { ChannelSet } from '#shared/models/event/hbm-channels.ts'

/** A load, as far as it matters here: its channels, and the stretches of memory that it takes. */
interface Load {
  readonly set: ChannelSet
  readonly rows: number
}

/**
 * Counts the loads of several rows that are under way in each column of tiles, or in each row where
 * memory lies at the sides only.
 *
 * A DMA issues a short row in every `dmaRowIssue` cycles, and a link takes a flit in every cycle. With
 * more loads than that in a line, flits wait on its links; those of the nearer tiles come first.
 *
 *   crowded: n − 1 > dmaRowIssue
 *
 * n  loads under way in the line; the tile next to the edge has a queue of its own
 *
 * Source: DMA and router of the public simulator; the difference shows in its runs of MLA (four loads
 *   in a column stay in step, eight and sixteen drift apart).
 * Checked by: the validation sets mla-runs-event-2026 and gemm-runs-event-2026
 */
export class RowLoads {
  private readonly columns: number
  private readonly rowIssue: number
  private readonly underWay = new Map<string, number>()

  constructor(chip: Pick<Chip, 'tiles' | 'control'>) {
    this.columns = chip.tiles.x
    this.rowIssue = chip.control.dmaRowIssue
  }

  /** A load of a tile begins, or ends. */
  count(tile: number, { set, rows }: Load, change: 1 | -1): void {
    if (rows <= 1) return
    const line = this.lineOf(tile, set)
    this.underWay.set(line, (this.underWay.get(line) ?? 0) + change)
  }

  /** Whether those in the line of a tile together issue more flits than a link takes. */
  areCrowded(tile: number, { set, rows }: Load): boolean {
    if (rows <= 1) return false
    const others = (this.underWay.get(this.lineOf(tile, set)) ?? 0) - 1
    return others > this.rowIssue
  }

  private lineOf(tile: number, { edges }: ChannelSet): string {
    const x = tile % this.columns
    const isVertical = edges.includes('south') || edges.includes('north')
    return isVertical ? `x${String(x)}` : `y${String((tile - x) / this.columns)}`
  }
}
