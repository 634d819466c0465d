import type { SummaShape } from '#shared/models/summa/summa-shape.ts'

/** From `first` up to, but not including, `end`. */
export interface IndexRange {
  readonly first: number
  readonly end: number
}

export const lengthOf = ({ first, end }: IndexRange): number => Math.max(0, end - first)

/** The part of a GEMM that one group computes. */
export interface SummaShare {
  readonly products: IndexRange
  readonly columns: IndexRange
  readonly contraction: IndexRange
}

/** A panel of Z of a group: `groupY · tileM` rows and `groupX · tileN` columns of a product. */
export interface SummaPanel {
  readonly product: number
  readonly firstRow: number
  readonly firstColumn: number
}

/** What each group has of the contraction, the columns of Z or the products. */
export function summaShares(shape: SummaShape): SummaShare[] {
  const { workload, split, groups } = shape
  const shareOf = (length: number, kind: SummaShape['split'], group: number): IndexRange => {
    if (split !== kind) return { first: 0, end: length }
    const share = Math.ceil(length / groups)
    return { first: group * share, end: Math.min(length, (group + 1) * share) }
  }
  return Array.from({ length: shape.activeGroups }, (_, group) => ({
    products: shareOf(workload.batch, 'batch', group),
    columns: shareOf(workload.n, 'n', group),
    contraction: shareOf(workload.k, 'k', group),
  }))
}

/** The panels of a group, in their order: product by product, row by row. */
export function summaPanels(shape: SummaShape, share: SummaShare): SummaPanel[] {
  const { workload, groupX, groupY, tileM, tileN } = shape
  const panels: SummaPanel[] = []
  for (let product = share.products.first; product < share.products.end; product++) {
    for (let firstRow = 0; firstRow < workload.m; firstRow += groupY * tileM) {
      const { first, end } = share.columns
      for (let firstColumn = first; firstColumn < end; firstColumn += groupX * tileN) {
        panels.push({ product, firstRow, firstColumn })
      }
    }
  }
  return panels
}

/** Steps along the contraction of a group. */
export const summaSteps = (shape: SummaShape, share: SummaShare): number =>
  Math.ceil(lengthOf(share.contraction) / shape.tileK)

/** Matrix operations of all tiles together, of the first panels and steps of each group. */
export function matrixOperations(
  shape: SummaShape,
  limit: { readonly panels: number; readonly steps: number },
): number {
  const tiles = shape.groupX * shape.groupY
  return summaShares(shape).reduce((sum, share) => {
    const panels = Math.min(limit.panels, summaPanels(shape, share).length)
    return sum + tiles * panels * Math.min(limit.steps, summaSteps(shape, share))
  }, 0)
}
