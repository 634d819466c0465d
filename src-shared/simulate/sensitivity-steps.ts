import type { FieldChange } from '#shared/results/sensitivity-result.ts'
import { chipSchema, type ChipConfig } from '#shared/schema/chip.ts'
import { formFields, valueAt, valueFields, type FieldPath } from '#shared/schema/form-fields.ts'

/** How a parameter is moved: by a tenth, to twice or half, or to less or more of a cost. */
type Scale = 'tenth' | 'double' | 'latency'

interface Parameter {
  readonly id: string
  readonly scale: Scale
}

/** Path in the chip of each parameter whose effect is asked for. */
const parameters: readonly Parameter[] = [
  { id: 'clockGHz', scale: 'tenth' },
  { id: 'matrixEngine.height', scale: 'double' },
  { id: 'matrixEngine.width', scale: 'double' },
  { id: 'matrixEngine.launchCycles', scale: 'latency' },
  { id: 'vectorEngine.count', scale: 'double' },
  { id: 'vectorEngine.fpus', scale: 'double' },
  { id: 'vectorEngine.ports', scale: 'double' },
  { id: 'vectorEngine.expRate', scale: 'double' },
  { id: 'l1.capacityKiB', scale: 'double' },
  { id: 'l1.bytesPerCycle', scale: 'double' },
  { id: 'noc.linkBits', scale: 'double' },
  { id: 'noc.hopCycles', scale: 'latency' },
  { id: 'hbm.channels', scale: 'double' },
  { id: 'hbm.channelGBps', scale: 'tenth' },
  { id: 'hbm.latencyNs', scale: 'latency' },
  { id: 'control.barrierBaseCycles', scale: 'latency' },
  { id: 'control.dmaRowIssueCycles', scale: 'latency' },
]

/** A parameter of a chip with its present value and the two steps from there. */
export interface ParameterSteps {
  readonly id: string
  readonly label: string
  readonly unit: string
  readonly value: number
  readonly more: StepChanges
  readonly less: StepChanges
}

export type StepChanges =
  | { readonly kind: 'changes'; readonly factor: number; readonly changes: readonly FieldChange[] }
  | { readonly kind: 'none'; readonly reason: string }

const EDGES = ['west', 'north', 'east', 'south'] as const
const fields = valueFields(formFields(chipSchema))
const sections = formFields(chipSchema)

/**
 * The parameters of a chip and their next values up and down: a tenth for rates, twice and half for
 * what is built in powers of two, half and twice for latencies, where less is what costs hardware.
 * A value that the schema does not allow is no step.
 */
export const parameterSteps = (chip: ChipConfig): ParameterSteps[] =>
  parameters.map(parameter => {
    const paths = pathsOf(parameter.id, chip)
    const values = paths.map(path => Number(valueAt(chip, path)))
    const [up, down] = parameter.scale === 'tenth' ? [1.1, 1 / 1.1] : [2, 0.5]
    const isLatency = parameter.scale === 'latency'
    const step = (factor: number): StepChanges => stepBy(factor, paths, values)
    return {
      id: parameter.id,
      ...labelOf(parameter.id),
      value: values.reduce((sum, value) => sum + value, 0),
      more: step(isLatency ? down : up),
      less: step(isLatency ? up : down),
    }
  })

/** The fields that belong to a parameter: one, or the channels of every edge that has some. */
const pathsOf = (id: string, chip: ChipConfig): FieldPath[] =>
  id === 'hbm.channels'
    ? EDGES.filter(edge => chip.hbm.channels[edge] > 0).map(edge => ['hbm', 'channels', edge])
    : [id.split('.')]

function labelOf(id: string): { readonly label: string; readonly unit: string } {
  if (id === 'hbm.channels') return { label: 'HBM channels', unit: 'channels' }
  const field = fields.find(({ path }) => path.join('.') === id)
  if (field?.kind !== 'number') throw new Error(`no such number in a chip: ${id}`)
  const [sectionName, inner] = field.path
  const section = sections.find(({ kind, path }) => kind === 'section' && path[0] === sectionName)
  const label =
    inner === undefined || section === undefined
      ? field.label
      : `${section.label}: ${lowerFirst(field.label)}`
  return { label, unit: field.unit }
}

/** DMA and FPUs stay as they are. */
const lowerFirst = (text: string): string =>
  /^[A-Z][a-z]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text

function stepBy(
  factor: number,
  paths: readonly FieldPath[],
  values: readonly number[],
): StepChanges {
  const changes: FieldChange[] = []
  for (const [index, path] of paths.entries()) {
    const field = fields.find(candidate => candidate.path.join('.') === path.join('.'))
    if (field?.kind !== 'number') throw new Error(`no number at ${path.join('.')}`)
    const before = values[index] ?? 0
    const { min, max, integer, multipleOf } = field
    if (before === 0) return { kind: 'none', reason: 'it is 0 already' }
    const value = Number((before * factor).toPrecision(6))
    if (value < min || value > max) {
      return {
        kind: 'none',
        reason: `${String(value)} is not within ${String(min)} to ${String(max)}`,
      }
    }
    const unit = integer ? (multipleOf ?? 1) : 0
    if (unit > 0 && value % unit !== 0) {
      return {
        kind: 'none',
        reason:
          unit === 1
            ? `${String(value)} is not a whole number`
            : `${String(value)} is not a multiple of ${String(unit)}`,
      }
    }
    changes.push({ path: ['chip', ...path].join('.'), value })
  }
  return { kind: 'changes', factor, changes }
}
