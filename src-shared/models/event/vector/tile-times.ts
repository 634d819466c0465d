import { vectorPart, type VectorPart } from '#shared/models/vector/vector-parts.ts'
import type { VectorComponent } from '#shared/results/vector-result.ts'

/** What a tile has spent its time on so far, operation by operation; they follow one another. */
export class TileTimes {
  private readonly sums = new Map<
    string,
    { readonly component: VectorComponent; cycles: number; count: number }
  >()

  add(component: VectorComponent, name: string, cycles: number): void {
    const sum = this.sums.get(name)
    if (sum === undefined) {
      this.sums.set(name, { component, cycles, count: 1 })
      return
    }
    sum.cycles += cycles
    sum.count++
  }

  /** Each operation with its mean time and how often it was done. */
  parts(): VectorPart[] {
    return [...this.sums].map(([name, { component, cycles, count }]) =>
      vectorPart(component, cycles / count, name, 'on average', count),
    )
  }
}
