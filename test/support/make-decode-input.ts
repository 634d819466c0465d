import { modelPresets } from '#shared/presets/model-presets.ts'
import { systemPresets } from '#shared/presets/system-presets.ts'
import { usualDeployment } from '#shared/presets/usual-deployment.ts'
import type { DecodeInput } from '#shared/schema/decode-input.ts'
import type { DeploymentConfig } from '#shared/schema/deployment.ts'

/** The published wafer with 1 TB/s between its chips, as it is deployed there. */
export function makeDecodeInput(changes: Partial<DeploymentConfig> = {}): DecodeInput {
  const system = systemPresets.find(({ id }) => id === 'wafer-1tb')?.config
  const model = modelPresets.find(({ id }) => id === 'deepseek-v3-671b')?.config
  if (system === undefined || model === undefined) throw new Error('a preset is missing')
  const deployment = { ...usualDeployment(system, model), ...changes }
  return { kind: 'decode', engine: 'phase', system, model, deployment }
}
