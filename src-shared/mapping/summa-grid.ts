/**
 * What several groups of tiles share out: nothing (a single group), the contraction, the columns of
 * Z, or the products of a batch.
 */
export type GemmSplit = 'none' | 'k' | 'n' | 'batch'

/** Who computes what in a SUMMA GEMM. */
export interface SummaGrid {
  /** Block of Z of one tile, and the contraction of one step. */
  readonly tileM: number
  readonly tileN: number
  readonly tileK: number
  readonly groupX: number
  readonly groupY: number
  readonly groups: number
  readonly split: GemmSplit
}

/** What a person fixes of a grid; the tiling rule chooses the rest. */
export type SummaOverrides = {
  readonly [Field in keyof SummaGrid]?: SummaGrid[Field] | undefined
}
