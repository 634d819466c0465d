/**
 * The constants of the models that are not parameters of a chip. Each is physical and has a source;
 * none is fitted to a single figure. "Reference" is the public cycle-level simulator behind
 * arXiv 2604.02110 (gvsoc, research branch of March 2026).
 */

/** Issue and completion polling of a DMA or transpose operation. Measured: 266 + 11 at 128 × 128. */
export const DMA_POLL_CYCLES = 11

/** Start and drain of one vector step over all rows of an engine. Measured on the reference. */
export const VECTOR_STEP_START = { rowMax: 42, exp: 23, rowSum: 28, scale: 23 } as const

/** Fixed cycles of one short-vector update (e or l) of the softmax state. Measured: 27 to 30. */
export const VECTOR_STATE_UPDATE_CYCLES = 28

/** Rows that a vector kernel of the reference unrolls; see the artefact about partial rows. */
export const VECTOR_ROW_UNROLL = 16

/** JEDEC HBM2E timings behind the refresh of every channel: interval and duration. */
export const HBM_REFRESH = { intervalSeconds: 3e-6, durationSeconds: 0.26e-6 } as const

/**
 * Gates (NAND2 equivalents) of what a tile is made of, from the synthesis of the tile of 2025: matrix
 * engine 32 × 16 with 4.536 million, 16 FPUs with 3.258 million, router for links of 1,024 bits with
 * 196 thousand. Source: resources/published/figD-die-area-2025.json.
 */
export const TILE_GATES = {
  perMultiplyAdd: 4_536_000 / 512,
  perFpu: 3_258_000 / 16,
  perRouterLinkBit: 196_000 / 1024,
  scalarCore: 25_000,
  dma: 297_000,
  instructionCache: 319_000,
} as const

/** TSMC N5 as the same source takes it: densities per mm² of logic, area of a bit, and placement. */
export const PROCESS_N5 = {
  transistorsPerGate: 4,
  transistorsPerMm2: 138.2e6,
  sramBitMm2: 0.021e-6,
  placementDensity: 0.66,
} as const

/** A DMA cuts a transfer into bursts of at most this length, which overlap (AXI4: one 4 KiB page). */
export const DMA_BURST_BYTES = 4096

/** Within a burst a DMA writes one line of this length after the other: the width of an L1 line. */
export const DMA_LINE_BYTES = 512

/**
 * How much faster a barrier is that follows a waited step of a software collective, or another
 * barrier, than one among transfers in flight. Measured on the reference simulator: 79, 95 and 195
 * cycles against 94, 112 and 243 on meshes of 4, 8 and 32 tiles on a side.
 */
export const BARRIER_AMONG_TRANSFERS_CYCLES = { base: 10, perTile: 0.6 } as const

/**
 * Fixed cycles of one step of a software collective: issue, wait, the loop around it and the
 * synchronisations inside a tile. Measured on the reference simulator at 4 and 8 tiles, treeSend
 * also at 32, pipelinedStep at 4. A tree step is 24 cycles longer where it fetches and adds.
 */
export const SOFTWARE_COLLECTIVE_CYCLES = {
  send: 18,
  fetch: 40,
  treeSend: 75,
  treeFetch: 99,
  pipelinedStep: 45,
} as const

/** How much L1 bank conflicts slow a vector engine that streams through L1. Measured: 3 %. */
export const VECTOR_L1_CONTENTION = 1.03

/**
 * What the L1 traffic of the vector engines and the DMA adds to a matrix operation that runs
 * beside them. Measured in asynchronous kernels: 4207 to 4223 busy cycles instead of 4193.
 */
export const L1_CONTENTION_PER_PHASE_CYCLES = 20

/**
 * Loads and stores after which independent groups have lost their lock-step. Groups start together
 * and ask for memory together; as their loads finish apart they drift, and the load of one passes
 * under the compute of another. Measured on the reference as the exposed load time of
 * FlashAttention in the first and the second eight iterations of a tile (two loads each).
 */
export const LOCK_STEP_LOADS = 32

/** Issue and wait of a posted HBM store. Measured: 16 cycles plus the flits, and some hops. */
export const STORE_ISSUE_CYCLES = 20

/**
 * Rate at which the write buffers take a posted store, over the peak of the channels behind them.
 * Measured: one channel takes 16 to 64 KiB at 88.6 B/cycle and writes it at 66.3 B/cycle.
 */
export const POSTED_WRITE_RATE = 1.33

/**
 * Least that HBM reads or writes at once: a burst of four on each of two pseudo-channels of 64 bit.
 * Source: JEDEC HBM2E, public simulator configuration.
 */
export const HBM_ACCESS_BYTES = 64

/** Side of the block of a tile that the public SUMMA kernel aims at: rows, columns, contraction. */
export const SUMMA_TILE = 128

/** Synchronisations of the cores of a tile in one step of SUMMA. Measured: 35 cycles with launch. */
export const SUMMA_SYNCS_PER_STEP = 4

/**
 * How much sooner HBM answers from a row that is open. Measured on the reference simulator: 44 to 66
 * cycles against 150 to 170 for a closed one.
 */
export const HBM_OPEN_ROW_SAVING_SECONDS = 0.1e-6

/**
 * How long an idle channel waits for a row to open. Measured on the reference simulator: single reads
 * took 48 to 54 cycles, or 55 to 110 more where a row was closed.
 */
export const HBM_ROW_OPENING_SECONDS = 0.08e-6

/** Bytes of a channel that lie in one open row: 1 KiB in each of 16 bank groups and pseudo-channels. */
export const HBM_ROW_BYTES = 16_384

/** What the write buffers of a channel hold: 512 requests of 64 bytes. */
export const HBM_WRITE_BUFFER_BYTES = 32_768

/** Flits that a tile may have under way beyond one per column and row of the mesh. */
export const OUTSTANDING_FLITS = 64

/** Software before a DMA transfer from HBM: addresses and issue. Measured in timelines: 20 to 40. */
export const HBM_ISSUE_CYCLES = 30

/** What a tile sends to HBM before the others that share the channels have their turn. */
export const HBM_TURN_BYTES = 2048

/** Issue and completion polling of an HBM load, in cycles of the chip. Measured: 18 of 48. */
export const LOAD_ISSUE_CYCLES = 18

/**
 * Latency of a load to an open and to another row of a bank, over that of the first load after a
 * start, which `hbm.latencyNs` is. Measured on the reference simulator for loads of one flit: 30
 * and 98 cycles after the issue, of 145 (resources/published/dma-2026.json).
 */
export const HBM_ROW_LATENCY = { open: 0.21, closed: 0.68 } as const

/** Scan of one score by the scalar core that selects experts. Measured: 2.9 k cycles for 256. */
export const TOP_K_SCORE_CYCLES = 11.3

/**
 * Sorting a better score in. Measured: 5.5 k cycles with random scores, 3.2 k with equal ones, over
 * the 36 insertions that 8 of 256 random scores take.
 */
export const TOP_K_INSERTION_CYCLES = 66

/** Newton steps of the square root of RMSNorm with random data. Measured: 140 to 750 cycles. */
export const RMS_NORM_ROOT_CYCLES = 445

/** A read of another tile's L1, besides hops, flits and lines. Measured: 15 cycles. */
export const REMOTE_READ_CYCLES = 15

/**
 * A write to another tile's L1, besides hops and flits; 2 more where bursts overlap, and 2 more to
 * HBM. Measured on the reference simulator: 12 cycles, over 3 to 14 hops.
 */
export const REMOTE_WRITE_CYCLES = 12

/**
 * Elements of the latent vector of MLA that one step works on: what a slice of 128 rows and the
 * buffers of the public FlatMLA kernels are made for, four chunks of DeepSeek's 512.
 */
export const LATENT_CHUNK_ELEMENTS = 128

/**
 * Cycles of a die-to-die link's clock until a credit that has come back lets a flit go. Measured on
 * the reference simulator with FIFOs of 64 to 512 flits.
 */
export const CREDIT_TURN_CYCLES = 1

/** Scales of FP8 activations: one FP32 for a block of elements. Source: arXiv 2412.19437, section 3.3. */
export const FP8_SCALE = { elements: 128, bytes: 4 } as const
