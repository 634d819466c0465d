/** One value that went into a formula. */
export interface ExplanationTerm {
  /** As it stands in the formula: 'T_mm', 'Br'. */
  readonly symbol: string
  readonly name: string
  readonly value: number
  /** 'cycles', 'B', '1'; '' for a word. */
  readonly unit: string
  /** Where the value comes from: a field of the input, another result, or a publication. */
  readonly source: string
}

/** How one reported number came about. */
export interface Explanation {
  /** The field of the result: 'cycles', 'hbmReadBytes', 'breakdown.matrix'. */
  readonly field: string
  readonly label: string
  readonly value: number
  readonly unit: string
  /** Readable formula in the symbols of `terms`. */
  readonly formula: string
  readonly terms: readonly ExplanationTerm[]
  /** Publication or argument behind the formula. */
  readonly source: string
}
