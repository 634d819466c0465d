import type { DecodeExperiment } from '#shared/ipc/contract.ts'
import type { DeploymentConfig } from '#shared/schema/deployment.ts'
import { estimateDecode } from '#shared/simulate/run-decode.ts'
import { makeDecodeInput } from '#test/support/make-decode-input.ts'

/** A kept deployment with the numbers of the model. */
export function makeDeployment(
  id: number,
  changes: Partial<DeploymentConfig> = {},
): DecodeExperiment {
  const input = makeDecodeInput(changes)
  const document = estimateDecode(input)
  return {
    id,
    kind: 'decode',
    name: `Deployment ${String(id)}`,
    note: '',
    tags: [],
    createdAtMs: 1_700_000_000_000,
    trashedAtMs: null,
    input,
    runs: [
      {
        id,
        inputSha256: 'a'.repeat(64),
        modelVersion: document.modelVersion,
        stale: false,
        status: 'done',
        message: null,
        startedAtMs: 1_700_000_000_000,
        elapsedMs: 12,
        document,
      },
    ],
  }
}
