import { kernelHeading } from '#main/cli/attention-text.ts'
import { indented, textTable } from '#main/cli/text-table.ts'
import { warningsSection } from '#main/cli/warnings-text.ts'
import type { ParameterSensitivity, SensitivityStep } from '#shared/results/sensitivity-result.ts'
import type { SensitivityDocument } from '#shared/schema/sensitivity-document.ts'
import { formatNumber, formatPercent, formatQuantity, formatSeconds } from '#shared/units/format.ts'

/** What to change next about the chip, most rewarding first, and what could be saved. */
export function sensitivityText({ input, result, warnings }: SensitivityDocument): string {
  const { seconds, parameters } = result
  const right = 'right' as const
  const table = textTable(
    [
      ['PARAMETER', 'NOW', 'MORE', 'RUNTIME', 'GAIN', 'ELASTICITY', 'LESS', 'RUNTIME', 'LOSS'],
      ...parameters.map(cellsOf),
    ],
    ['left', right, right, right, right, right, right, right, right],
  )
  const refused = parameters.flatMap(({ label, more, less }) => [
    ...(more.kind === 'none' ? [`${label}, more: ${more.reason}`] : []),
    ...(less.kind === 'none' ? [`${label}, less: ${less.reason}`] : []),
  ])
  return [
    `${kernelHeading(input)}\nRuntime ${formatSeconds(seconds)}, phase engine`,
    `What to change next, one parameter at a time\n${indented(table)}`,
    'Elasticity: 1 where the runtime shrinks as much as the parameter is improved, 0 where it does not matter.',
    ...(refused.length === 0 ? [] : [`No step\n${indented(refused.join('\n'))}`]),
    ...warningsSection(warnings),
  ].join('\n\n')
}

function cellsOf({ label, unit, value, more, less }: ParameterSensitivity): string[] {
  const now = formatQuantity(value, unit === 'GHz' ? '1' : unit)
  return [
    label,
    unit === 'GHz' ? `${now} GHz` : now,
    ...stepCells(more, step => formatPercent(step.gain)),
    more.kind === 'none' ? '' : formatNumber(Number(more.elasticity.toFixed(3)), 3),
    ...stepCells(less, step => formatPercent(-step.gain)),
  ]
}

const stepCells = (
  step: SensitivityStep,
  percent: (step: Extract<SensitivityStep, { kind: 'step' }>) => string,
): string[] =>
  step.kind === 'none'
    ? ['-', '', '']
    : [`x ${formatNumber(step.factor, 3)}`, formatSeconds(step.seconds), percent(step)]
