import { tileCount, type Chip } from '#shared/hardware/chip.ts'
import { PROCESS_N5, TILE_GATES } from '#shared/models/constants.ts'

type AreaChip = Pick<Chip, 'tiles' | 'matrixEngine' | 'vectorEngine' | 'noc' | 'l1'>

export interface DieArea {
  readonly logicMm2: number
  readonly memoryMm2: number
  readonly totalMm2: number
}

const BITS_PER_BYTE = 8

/**
 * Area of the tiles of a chip in a 5 nm process.
 *
 *   A = N · (G · t / (ρ · u) + 8 · C · a)
 *   G = g_mac · H · W + n · (g_fpu · F + g_core) + g_link · L + g_dma + g_cache
 *
 * N        tiles
 * H, W     matrix engine height and width
 * n, F     vector engines of a tile, each with a scalar core (the published tile counts one), and
 *          the FPUs of each
 * L        bits of a link of the NoC
 * C        bytes of L1
 * g_…      gates of each, t transistors per gate, ρ transistors per mm², u placement density
 * a        area of one bit of SRAM, whose macros are taken to be placed without gaps
 *
 * Source: the estimate of the authors of arXiv 2505.18824 for one tile, spread over its units
 *   (resources/published/figD-die-area-2025.json).
 * Holds when: units of another number or width keep the gates per multiply-add, FPU and link bit.
 * Leaves out: HBM and D2D interfaces, I/O, power delivery, redundancy. With the placement density on the SRAM as well, A would be 7.5 % larger.
 * Checked by: the validation set figD-die-area-2025; one chip, so the scaling is not checked.
 */
export function dieArea(chip: AreaChip): DieArea {
  const { matrixEngine, vectorEngine, noc, l1 } = chip
  const gates =
    TILE_GATES.perMultiplyAdd * matrixEngine.height * matrixEngine.width +
    TILE_GATES.perFpu * vectorEngine.count * vectorEngine.fpus +
    TILE_GATES.scalarCore * vectorEngine.count +
    TILE_GATES.perRouterLinkBit * noc.flit * BITS_PER_BYTE +
    TILE_GATES.dma +
    TILE_GATES.instructionCache
  const { transistorsPerGate, transistorsPerMm2, placementDensity, sramBitMm2 } = PROCESS_N5
  const logic = (gates * transistorsPerGate) / (transistorsPerMm2 * placementDensity)
  const memory = l1.capacity * BITS_PER_BYTE * sramBitMm2
  const tiles = tileCount(chip)
  return {
    logicMm2: tiles * logic,
    memoryMm2: tiles * memory,
    totalMm2: tiles * (logic + memory),
  }
}
