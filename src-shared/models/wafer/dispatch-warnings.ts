import type { Wafer } from '#shared/hardware/wafer.ts'
import type { DispatchRequest } from '#shared/models/wafer/dispatch-time.ts'
import type { ResultWarning } from '#shared/results/warning.ts'

/** What the reader of a dispatch's result should know. */
export function dispatchWarnings(
  { engine, group, routing }: Pick<DispatchRequest, 'engine' | 'group' | 'routing'>,
  { d2d, artefacts }: Pick<Wafer, 'd2d' | 'artefacts'>,
): ResultWarning[] {
  const warnings: ResultWarning[] = []
  const warn = (code: ResultWarning['code'], message: string) => warnings.push({ code, message })
  if (group.chips.length === 1) return warnings
  const exact = d2d.flit / (d2d.bandwidth / d2d.clock)
  if (artefacts.wholeCyclesPerFlit && !Number.isInteger(exact)) {
    warn(
      'reference-artefact',
      `wholeCyclesPerFlit: a flit takes ${String(Math.ceil(exact))} cycles on a link, not ${String(Number(exact.toPrecision(4)))}`,
    )
  }
  if (artefacts.endsWithAcknowledgement) {
    warn('reference-artefact', 'endsWithAcknowledgement: a way back is part of both times')
  }
  if (artefacts.combineLikeDispatch) {
    warn(
      'reference-artefact',
      'combineLikeDispatch: the combine is the dispatch once more, in its direction and format',
    )
  }
  if (d2d.topology !== 'mesh') {
    warn('outside-validated-regime', `no measurement covers a ${d2d.topology} of chips`)
  }
  if (routing.pattern === 'zipf') {
    warn('outside-validated-regime', 'no measurement covers experts of unequal popularity')
  }
  if (engine === 'closed-form') {
    warn(
      'outside-validated-regime',
      'the closed form may be a sixth too fast where flits pass two lines that are equally busy',
    )
  }
  return warnings
}
