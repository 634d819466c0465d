/** One published number and what the model says of it. */
export interface ValidationRow {
  readonly name: string
  readonly predicted: number
  readonly published: number
  readonly unit: string
  /**
   * (predicted − published) / published; for a percentage the difference in points / 100; for a
   * published lower bound only what is missing.
   */
  readonly error: number
  /** Of the values that a mean was taken over. */
  readonly spread?: Spread
}

/** How far the values behind a mean lie apart. */
export interface Spread {
  readonly count: number
  readonly minimum: number
  readonly maximum: number
  /** Of these values, not an estimate for others: √(Σ (x − mean)² / count). */
  readonly standardDeviation: number
}

export function spreadOf(values: readonly number[]): Spread {
  const mean = meanOf(values)
  const squares = values.map(value => (value - mean) ** 2)
  return {
    count: values.length,
    minimum: Math.min(...values),
    maximum: Math.max(...values),
    standardDeviation: Math.sqrt(meanOf(squares)),
  }
}

/** NaN of nothing: a set with such a row does not pass. */
export const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length

/** What a set must meet: mean and largest absolute error. */
export interface ValidationTarget {
  readonly meanAbsoluteError: number
  readonly largestError: number
}

/** Published numbers of one kind, from one place. */
export interface ValidationSet {
  readonly id: string
  readonly title: string
  readonly source: string
  readonly target: ValidationTarget
  readonly rows: readonly ValidationRow[]
  readonly meanAbsoluteError: number
  readonly largestError: number
  readonly passed: boolean
}

export const exactly: ValidationTarget = { meanAbsoluteError: 0, largestError: 0 }

/** A number compared in proportion. */
export function compared(
  name: string,
  unit: string,
  predicted: number,
  published: number,
): ValidationRow {
  return { name, unit, predicted, published, error: (predicted - published) / published }
}

/** A percentage compared in points: 92 against 90 % is an error of 0.02. */
export function comparedInPoints(
  name: string,
  predicted: number,
  published: number,
): ValidationRow {
  return { name, unit: '%', predicted, published, error: (predicted - published) / 100 }
}

/** A number that was published as a lower bound. */
export function comparedWithBound(
  name: string,
  unit: string,
  predicted: number,
  published: number,
): ValidationRow {
  const error = Math.min(0, (predicted - published) / published)
  return { name, unit, predicted, published, error: error === 0 ? 0 : error }
}

export function validationSet(
  set: Pick<ValidationSet, 'id' | 'title' | 'source' | 'target' | 'rows'>,
): ValidationSet {
  const errors = set.rows.map(row => Math.abs(row.error))
  const meanAbsoluteError = meanOf(errors)
  const largestError = Math.max(...errors)
  return {
    ...set,
    meanAbsoluteError,
    largestError,
    passed:
      meanAbsoluteError <= set.target.meanAbsoluteError && largestError <= set.target.largestError,
  }
}
