import type { BreakdownComponent } from '#shared/results/attention-result.ts'
import { breakdownComponents } from '#shared/results/attention-result.ts'

/** One stretch of a chain of operations that follow each other. */
export interface Segment {
  readonly component: BreakdownComponent
  readonly cycles: number
  /** What it is: 'load of K'. */
  readonly name: string
}

/** Exposed time of one operation, and how often it occurs in a kernel. */
export interface Contribution extends Segment {
  /** Where in the kernel: 'per column block'. */
  readonly place: string
  readonly count: number
}

export const segment = (component: BreakdownComponent, cycles: number, name: string): Segment => ({
  component,
  cycles,
  name,
})

export const totalCycles = (segments: readonly Segment[]): number =>
  segments.reduce((sum, part) => sum + part.cycles, 0)

export type ComponentCycles = Record<BreakdownComponent, number>

/** Sums exposed time by component; times are added with a count, so a loop costs one call. */
export class ExposedTime {
  private readonly byComponent = Object.fromEntries(
    breakdownComponents.map(component => [component, 0]),
  ) as ComponentCycles
  private readonly parts: Contribution[] = []

  /** Adds `count` repetitions of a chain. */
  add(segments: readonly Segment[], place: string, count = 1): void {
    for (const part of segments) {
      if (part.cycles === 0 || count === 0) continue
      this.byComponent[part.component] += part.cycles * count
      this.parts.push({ ...part, place, count })
    }
  }

  /** Adds all of another kernel's time. */
  addAll(other: ExposedTime): void {
    for (const component of breakdownComponents) {
      this.byComponent[component] += other.byComponent[component]
    }
    this.parts.push(...other.parts)
  }

  /** What a component is made of; the same operation at the same place stands once. */
  contributions(component: BreakdownComponent): Contribution[] {
    const merged = new Map<string, Contribution>()
    for (const part of this.parts) {
      if (part.component !== component) continue
      const key = `${part.name}|${part.place}|${String(part.cycles)}`
      merged.set(key, { ...part, count: part.count + (merged.get(key)?.count ?? 0) })
    }
    return [...merged.values()]
  }

  get components(): Readonly<ComponentCycles> {
    return this.byComponent
  }

  get total(): number {
    return Object.values(this.byComponent).reduce((sum, value) => sum + value, 0)
  }
}

/** What is left of a chain after its first `hidden` cycles have passed under something else. */
export function exposedTail(segments: readonly Segment[], hidden: number): Segment[] {
  let covered = hidden
  const tail: Segment[] = []
  for (const part of segments) {
    const skipped = Math.min(covered, part.cycles)
    covered -= skipped
    if (part.cycles > skipped) tail.push({ ...part, cycles: part.cycles - skipped })
  }
  return tail
}

/**
 * Two chains side by side, as one chain: the vector work counts first, and of the other chain
 * what outlasts it.
 */
export function inParallel(vector: readonly Segment[], other: readonly Segment[]): Segment[] {
  return [...vector, ...exposedTail(other, totalCycles(vector))]
}
