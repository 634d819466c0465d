import { expect, test } from 'vitest'
import { modelPresets } from '#shared/presets/model-presets.ts'
import { systemPresets } from '#shared/presets/system-presets.ts'
import { usualDeployment } from '#shared/presets/usual-deployment.ts'
import { decodeInputSchema } from '#shared/schema/decode-input.ts'

const pairs = systemPresets.flatMap(system =>
  modelPresets.map(model => ({ id: `${system.id}, ${model.id}`, system, model })),
)

test.each(pairs)('$id: the deployment that is offered is valid', ({ system, model }) => {
  const deployment = usualDeployment(system.config, model.config)
  const input = {
    ...{ kind: 'decode', engine: 'phase', deployment },
    ...{ system: system.config, model: model.config },
  }
  expect(decodeInputSchema.safeParse(input).error).toBeUndefined()
})

test('a system without reference artefacts is timed layer by layer', () => {
  const [system] = systemPresets
  const [model] = modelPresets
  if (system === undefined || model === undefined) throw new Error('there are no presets')
  const referenceArtefacts = {
    wholeCyclesPerFlit: false,
    endsWithAcknowledgement: false,
    combineLikeDispatch: false,
    ownChipThroughRouter: false,
  }
  const { layers, expertParallel, pipelineParallel } = usualDeployment(
    { ...system.config, referenceArtefacts },
    model.config,
    { expertParallel: undefined, pipelineParallel: 4 },
  )
  expect({ layers, expertParallel, pipelineParallel }).toEqual({
    layers: 'exact',
    expertParallel: 16,
    pipelineParallel: 4,
  })
})
