/**
 * `npm run bench:agreement`: 500 random attention mappings in both engines. Prints how many agree
 * within 8 %, by dataflow, and for those that do not why. Takes about half a minute. Nothing is asserted.
 */
import { MODEL_VERSION } from '#shared/model-version.ts'
import { dataflows } from '#shared/mapping/dataflow.ts'
import {
  AGREEMENT,
  agreementGrid,
  agrees,
  causes,
  compareEngines,
  explainDisagreement,
  type ComparedKernel,
  type Disagreement,
  type Waiting,
} from '#test/support/compare-engines.ts'

const percent = (share: number, digits = 1): string => `${(100 * share).toFixed(digits)} %`

const signed = (share: number): string => `${share > 0 ? '+' : ''}${percent(share)}`

function line(cells: readonly string[]): string {
  const [first = '', ...rest] = cells
  return first.padEnd(16) + rest.map(cell => cell.padStart(12)).join('')
}

function summary(name: string, kernels: readonly ComparedKernel[]): string {
  const differences = kernels.map(({ difference }) => difference).toSorted((a, b) => a - b)
  const sizes = differences.map(Math.abs).toSorted((a, b) => a - b)
  const middle = Math.floor(sizes.length / 2)
  return line([
    name,
    String(kernels.length),
    percent(kernels.filter(agrees).length / kernels.length),
    signed(differences[middle] ?? Number.NaN),
    percent(sizes[middle] ?? Number.NaN),
    signed(differences[0] ?? Number.NaN),
    signed(differences.at(-1) ?? Number.NaN),
  ])
}

const waits = ({ event, phase }: Waiting): string =>
  `${(100 * event).toFixed(0)} : ${(100 * phase).toFixed(0)}`

function describe(disagreement: Disagreement): string {
  const { kernel, cause, atChannels, atLinks } = disagreement
  const { chip, workload, dataflow } = kernel.input
  const { mapping } = kernel.phase
  const edges = Object.values(chip.hbm.channels).join('/')
  return (
    [
      signed(kernel.difference),
      signed(disagreement.withoutQueues),
      signed(disagreement.withoutLinks),
      waits(atChannels),
      waits(atLinks),
    ]
      .map(cell => cell.padStart(12))
      .join('') +
    `  ${cause.padEnd(19)}  ${dataflow.padEnd(14)} ` +
    `${String(chip.tiles.x)} × ${String(chip.tiles.y)} tiles, channels ${edges}, ` +
    `group ${String(mapping.groupX)} × ${String(mapping.groupY)}, ` +
    `slice ${String(mapping.sliceRows)} × ${String(mapping.sliceCols)}, ` +
    `${workload.variant} ${workload.phase}${workload.causal ? ' causal' : ''}, ` +
    `q ${String(workload.queryLength)}, KV ${String(workload.kvLength)}, ${workload.dtype}`
  )
}

const kernels = agreementGrid().map(compareEngines)
console.log(`Model ${MODEL_VERSION}: event engine over phase engine, less one\n`)
console.log(line(['', 'KERNELS', 'WITHIN 8 %', 'MEDIAN', '|MEDIAN|', 'LEAST', 'MOST']))
console.log(summary('all', kernels))
for (const dataflow of dataflows) {
  console.log(
    summary(
      dataflow,
      kernels.filter(({ input }) => input.dataflow === dataflow),
    ),
  )
}
const isLatent = ({ input }: ComparedKernel) => input.workload.variant === 'mla'
console.log(summary('MLA', kernels.filter(isLatent)))

const disagreements = kernels.filter(kernel => !agrees(kernel)).map(explainDisagreement)
console.log(`\nMore than ${percent(AGREEMENT, 0)} apart:`)
for (const cause of causes) {
  const some = disagreements.filter(other => other.cause === cause)
  console.log(`  ${cause.padEnd(22)}${String(some.length)}`)
}
const columns = ['EVENT', 'FAST HBM', 'WIDE LINKS', 'AT HBM', 'AT LINKS']
console.log(`\n${columns.map(column => column.padStart(12)).join('')}  CAUSE`)
for (const disagreement of disagreements) console.log(describe(disagreement))
