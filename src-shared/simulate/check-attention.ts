import { tileCount } from '#shared/hardware/chip.ts'
import { MODEL_VERSION } from '#shared/model-version.ts'
import { isFlashMla, unsupportedDataflow, type Dataflow } from '#shared/mapping/dataflow.ts'
import type { KernelShape } from '#shared/models/attention/kernel-shape.ts'
import { latentChunks } from '#shared/models/attention/latent-chunks.ts'
import { AttentionSimulation } from '#shared/models/event/attention/simulate-attention.ts'
import { arithmetics } from '#shared/models/event/check/arithmetic.ts'
import {
  randomTensors,
  type AttentionTensors,
} from '#shared/models/event/check/attention-tensors.ts'
import { checkCost } from '#shared/models/event/check/check-cost.ts'
import {
  CheckedAttention,
  type CheckedKernel,
} from '#shared/models/event/check/checked-attention.ts'
import { CheckedLatent } from '#shared/models/event/check/checked-latent.ts'
import { compareOutput, placeOf } from '#shared/models/event/check/compare-output.ts'
import { exactAttention, type ExactOutput } from '#shared/models/event/check/exact-attention.ts'
import { explainBound } from '#shared/models/event/check/explain-check.ts'
import { checkBound, type RoundingShape } from '#shared/models/event/check/rounding-bound.ts'
import type { CheckResult } from '#shared/results/check-result.ts'
import type { ResultWarning } from '#shared/results/warning.ts'
import type { CheckDocument, CheckInput } from '#shared/schema/check-input.ts'
import { resolveChip } from '#shared/schema/chip.ts'
import { SCHEMA_VERSION } from '#shared/schema/schema-version.ts'
import { resolveWorkload } from '#shared/schema/workload.ts'
import { mapForCheck } from '#shared/simulate/check-limits.ts'
import { finish, InfeasibleError, type Simulation } from '#shared/simulate/simulation.ts'
import { formatNumber } from '#shared/units/format.ts'
import { headDimensions, isAbsorbed, queryPositions } from '#shared/workload/attention.ts'

/** Events between two moments at which a check may be dropped: some tens of milliseconds. */
const EVENTS_PER_STEP = 32

/** The first half of the progress is the programs, the second the reference. */
const STEPS = 1000

/**
 * Executes the programs of an attention kernel on pseudo-random numbers, operation by operation as
 * the event engine times them, and compares what they store with exact attention.
 *
 * @throws InfeasibleError where the mapping does not fit, the variant has no programs, or the kernel
 *   is too large to be executed
 */
export function* checkAttention(input: CheckInput): Simulation<CheckDocument> {
  const chip = resolveChip(input.chip)
  const workload = resolveWorkload(input.workload)
  const unsupported = unsupportedDataflow(input.dataflow, workload)
  if (unsupported !== undefined) throw new InfeasibleError(unsupported)
  const shape = mapForCheck(input.dataflow, workload, input.mapping, chip)
  const arithmetic = arithmetics[input.precision]
  const progress = (phase: string, share: number) => ({
    phase,
    done: Math.floor(share * STEPS),
    total: 2 * STEPS,
  })
  yield progress('operands', 0)
  const tensors = randomTensors(workload, input.seed, arithmetic)
  const kernel = {
    shape,
    tensors,
    arithmetic,
    tilesAlongX: chip.tiles.x,
    keysLieTransposed: chip.kernels.keyTranspose === 'in-memory',
  }
  const executed = executor(kernel)
  const simulation = new AttentionSimulation(input.dataflow, shape, chip, input.loaders, {
    timelineTiles: [],
    ...executed,
  })
  while (simulation.run(EVENTS_PER_STEP)) yield progress('programs', simulation.progress)
  const exact = yield* exactOutput(shape, tensors, share => progress('exact attention', 1 + share))
  const result = checkResult(input, shape, executed.latentData ?? executed.data, exact)
  return {
    kind: 'check',
    schemaVersion: SCHEMA_VERSION,
    modelVersion: MODEL_VERSION,
    input,
    result,
    explanation: [explainBound(roundingShape(input.dataflow, shape, exact), input.precision)],
    warnings: checkWarnings(input, shape, tileCount(chip), result.bound),
  }
}

/** The same at once. */
export const runCheck = (input: CheckInput): CheckDocument => finish(checkAttention(input))

/** Rows of the reference between two steps. */
const ROWS_PER_STEP = 16

function* exactOutput(
  { workload }: KernelShape,
  tensors: AttentionTensors,
  progress: (share: number) => { phase: string; done: number; total: number },
): Simulation<ExactOutput> {
  const rows = exactAttention(workload, tensors)
  for (let count = 1; ; count++) {
    const step = rows.next()
    if (step.done === true) return step.value
    if (count % ROWS_PER_STEP === 0) yield progress(step.value)
  }
}

/** What executes the programs: in chunks where MLA is absorbed. */
const executor = (kernel: CheckedKernel) =>
  isAbsorbed(kernel.shape.workload)
    ? { latentData: new CheckedLatent(kernel) }
    : { data: new CheckedAttention(kernel) }

/** Where MLA is absorbed, scores grow chunk by chunk, and a merge rounds as often as two blocks. */
function roundingShape(
  dataflow: Dataflow,
  { workload, innerIterations, groupX }: KernelShape,
  { largestScore, largestPart }: ExactOutput,
): RoundingShape {
  const common = {
    headDim: headDimensions(workload).score,
    kvLength: workload.kvLength,
    columnBlocks: innerIterations,
    groupX,
    largestScore,
  }
  if (!isAbsorbed(workload)) return common
  const { latent, rope } = latentChunks(workload)
  const merges = isFlashMla(dataflow) ? Math.ceil(Math.log2(groupX)) : 0
  return {
    ...common,
    columnBlocks: innerIterations + 2 * merges,
    largestScore: largestPart,
    scoreChunks: latent.length + rope.length,
    probabilityRoundings: dataflow === 'flat-async' ? 2 : 1,
  }
}

function checkResult(
  { dataflow, precision }: CheckInput,
  shape: KernelShape,
  { output, stores, operations }: CheckedAttention | CheckedLatent,
  exact: ExactOutput,
): CheckResult {
  const { workload, groupX, groupY, activeGroups } = shape
  const deviation = compareOutput(output, exact.output, headDimensions(workload).value)
  const { bound, on } = checkBound(roundingShape(dataflow, shape, exact), precision)
  const at = on === 'largestRelative' ? deviation.relativeAt : deviation.absoluteAt
  const rowsNotStored = stores.filter(count => count === 0).length
  const rowsStoredAgain = stores.filter(count => count > 1).length
  const { rowsNotComputed, largestAbsolute, largestRelative } = deviation
  return {
    dataflow,
    precision,
    passed:
      rowsNotStored + rowsStoredAgain + rowsNotComputed + operations.hazardCount === 0 &&
      deviation[on] <= bound,
    largestAbsolute,
    largestRelative,
    bound,
    boundOn: on,
    largestAt:
      at === undefined
        ? null
        : { ...placeOf(at, workload), computed: output[at] ?? 0, exact: exact.output[at] ?? 0 },
    rowsChecked: workload.batch * workload.heads * queryPositions(workload),
    rowsNotStored,
    rowsStoredAgain,
    rowsNotComputed,
    hazards: operations.hazardCount,
    firstHazards: operations.hazards.map(({ tile, message }) => `tile ${String(tile)}: ${message}`),
    executedFlops: checkCost(shape, 1).flops,
    tiles: activeGroups * groupX * groupY,
  }
}

function checkWarnings(
  input: CheckInput,
  shape: KernelShape,
  tiles: number,
  bound: number,
): ResultWarning[] {
  const warnings: ResultWarning[] = []
  const { chip, workload, precision } = input
  if (workload.causal && chip.referenceArtefacts.causalMaskIgnored) {
    warnings.push({
      code: 'reference-artefact',
      message:
        'masked blocks are computed; the check masks their scores, which the reference kernels do not',
    })
  }
  if (precision === 'fp8') {
    warnings.push({
      code: 'outside-validated-regime',
      message:
        'scores, row maxima, row sums and the growing O are FP16 here, where the timing counts one byte each',
    })
  }
  if (bound >= 1) {
    warnings.push({
      code: 'outside-validated-regime',
      message: `a bound of ${formatNumber(bound)} on values up to 1 says little: use a smaller head dimension or a shorter KV`,
    })
  }
  const busy = shape.activeGroups * shape.groupX * shape.groupY
  if (busy < tiles) {
    warnings.push({
      code: 'idle-tiles',
      message: `${String(tiles - busy)} of ${String(tiles)} tiles have no work`,
    })
  }
  return warnings
}
