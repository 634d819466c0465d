import type { VectorComponent } from '#shared/results/vector-result.ts'

/** Time that a kernel spends on one operation, and how often. */
export interface VectorPart {
  readonly component: VectorComponent
  readonly cycles: number
  /** What it is: 'load of the row'. */
  readonly name: string
  /** Where in the kernel: 'in the first round'. */
  readonly place: string
  readonly count: number
}

export const vectorPart = (
  component: VectorComponent,
  cycles: number,
  name: string,
  place: string,
  count = 1,
): VectorPart => ({ component, cycles, name, place, count })

export const sumOfParts = (parts: readonly VectorPart[]): number =>
  parts.reduce((sum, part) => sum + part.cycles * part.count, 0)
