import { chipSchema } from '#shared/schema/chip.ts'
import { formFields, type FormField } from '#shared/schema/form-fields.ts'
import { mappingSchema } from '#shared/schema/mapping.ts'
import { workloadSchema } from '#shared/schema/workload.ts'
import { dataflowDescriptions, dataflows } from '#shared/mapping/dataflow.ts'
import { formatNumber } from '#shared/units/format.ts'

export interface FieldLabel {
  /** With its sections: 'HBM, Channels, South'. */
  readonly label: string
  readonly unit: string
}

const labels: ReadonlyMap<string, FieldLabel> = new Map([
  ...labelsOf(formFields(chipSchema), 'chip', 'Chip'),
  ...labelsOf(formFields(workloadSchema), 'workload', 'Workload'),
  ...labelsOf(formFields(mappingSchema), 'mapping', 'Mapping'),
  ['dataflow', { label: 'Dataflow', unit: '' }],
])

/** What a field of a run's input is called; its path where no form shows it. */
export const fieldLabel = (path: readonly string[]): FieldLabel =>
  labels.get(path.join('.')) ?? { label: path.join('.'), unit: '' }

/** A value of a run's input as text; what is missing was chosen automatically. */
export function fieldText(path: readonly string[], value: unknown): string {
  if (value === undefined) return 'automatic'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'number') {
    const { unit } = fieldLabel(path)
    const number = formatNumber(value, 6)
    return unit === '' || unit === '1' ? number : `${number} ${unit}`
  }
  const dataflow = dataflows.find(candidate => path[0] === 'dataflow' && candidate === value)
  if (dataflow !== undefined) return dataflowDescriptions[dataflow].label
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function labelsOf(
  fields: readonly FormField[],
  root: string,
  prefix: string,
): [string, FieldLabel][] {
  return fields.flatMap((field): [string, FieldLabel][] => {
    const label = `${prefix}, ${field.label}`
    if (field.kind === 'section') return labelsOf(field.fields, root, label)
    const unit = field.kind === 'number' ? field.unit : ''
    return [[[root, ...field.path].join('.'), { label, unit }]]
  })
}
