/** What a person fixes of a mapping; the tiling rule chooses the rest. */
export interface MappingOverrides {
  readonly groupX?: number | undefined
  readonly groupY?: number | undefined
  readonly sliceRows?: number | undefined
  readonly sliceCols?: number | undefined
  readonly blockRows?: number | undefined
  readonly blockCols?: number | undefined
}
