import type { Wafer } from '#shared/hardware/wafer.ts'
import { chipGroups } from '#shared/models/wafer/chip-groups.ts'
import type { DispatchRequest } from '#shared/models/wafer/dispatch-time.ts'
import { roundRobinPlacement } from '#shared/models/wafer/expert-placement.ts'
import { resolveSystem, type SystemConfig } from '#shared/schema/system.ts'
import { presetSystem } from '#shared/validation/published-wafer.ts'

/** The wafer of arXiv 2604.02110 without the peculiarities of the reference simulator. */
export const makeSystem = (
  chips: SystemConfig['chips'],
  links: Partial<SystemConfig['d2d']> = {},
  artefacts: Partial<SystemConfig['referenceArtefacts']> = {},
): SystemConfig => {
  const preset = presetSystem('wafer-1tb')
  return {
    ...preset,
    chips,
    d2d: { ...preset.d2d, ...links },
    referenceArtefacts: {
      wholeCyclesPerFlit: false,
      endsWithAcknowledgement: false,
      combineLikeDispatch: false,
      ownChipThroughRouter: false,
      ...artefacts,
    },
  }
}

export const makeWafer = (...[chips, links, artefacts]: Parameters<typeof makeSystem>): Wafer =>
  resolveSystem(makeSystem(chips, links, artefacts))

/** 8 of 256 experts over all chips of a wafer, 16 tokens each, FP8 both ways. */
export function makeDispatchRequest(
  wafer: Wafer,
  changes: Partial<DispatchRequest> = {},
): DispatchRequest {
  const size = changes.group?.chips.length ?? wafer.columns * wafer.rows
  const [group] = chipGroups(size, wafer) ?? []
  if (group === undefined) throw new Error(`no group of ${String(size)} chips`)
  return {
    group,
    placement: roundRobinPlacement(256, size),
    routing: { pattern: 'balanced' },
    experts: 256,
    topK: 8,
    tokensPerChip: 16,
    width: 7168,
    dispatchFormat: 'fp8',
    combineFormat: 'fp8',
    headerBytes: 0,
    onceForEachChip: false,
    engine: 'event',
    ...changes,
  }
}
