import type { ClusterResult } from '#shared/results/cluster-result.ts'
import type { ResultDocument } from '#shared/results/result-document.ts'
import { clusterSchema } from '#shared/schema/cluster.ts'
import { deploymentSchema } from '#shared/schema/deployment.ts'
import { modelSchema } from '#shared/schema/model.ts'
import { countField } from '#shared/schema/quantity-field.ts'
import { z } from '#shared/schema/zod.ts'

const { shape } = deploymentSchema

/** A deployment on GPUs: a wafer's, without what a cluster's model does not know. */
export const clusterDeploymentSchema = z.strictObject({
  batchPerChip: shape.batchPerChip,
  kvLength: shape.kvLength,
  expertParallel: countField(
    { label: 'Expert parallel', unit: 'GPUs', help: 'GPUs that share the experts of a layer.' },
    { min: 1, max: 65_536 },
  ),
  redundantExperts: countField(
    { label: 'Redundant experts', unit: 'copies', help: 'Further copies in each layer.' },
    { min: 0, max: 65_536 },
  ),
  speculativeLength: shape.speculativeLength,
  acceptance: shape.acceptance,
  dispatchFormat: shape.dispatchFormat,
  combineFormat: shape.combineFormat,
  communication: shape.communication,
  kvLayout: shape.kvLayout,
  ignoreCapacity: shape.ignoreCapacity,
})

/** Everything that decides the numbers of a deployment on GPUs, fully resolved. */
export const clusterInputSchema = z
  .strictObject({
    kind: z.literal('cluster-decode'),
    system: clusterSchema,
    model: modelSchema,
    deployment: clusterDeploymentSchema,
  })
  .superRefine(({ system, deployment }, context) => {
    const { expertParallel, speculativeLength, acceptance, kvLength, communication } = deployment
    const refuse = (field: string, message: string) => {
      context.addIssue({ code: 'custom', path: ['deployment', field], message })
    }
    if (expertParallel > system.gpus) {
      refuse(
        'expertParallel',
        `must be at most ${String(system.gpus)}, the system.gpus, got ${String(expertParallel)}`,
      )
    }
    if (speculativeLength > kvLength) {
      refuse(
        'speculativeLength',
        `must be at most ${String(kvLength)}, the kvLength that includes the new tokens, got ${String(speculativeLength)}`,
      )
    }
    if (Array.isArray(acceptance) && acceptance.length !== speculativeLength - 1) {
      refuse(
        'acceptance',
        `must be one number, or a list with one for each of the ${String(speculativeLength - 1)} drafts of speculativeLength ${String(speculativeLength)}, got ${String(acceptance.length)}`,
      )
    }
    if (communication === 'overlap' && deployment.batchPerChip < 2) {
      refuse(
        'batchPerChip',
        `must be at least 2 for communication overlap, which halves the batch, got ${String(deployment.batchPerChip)}`,
      )
    }
  })
  .meta({ title: 'Tessera decode on a GPU cluster' })

export type ClusterInput = z.infer<typeof clusterInputSchema>
export type ClusterDocument = ResultDocument<ClusterInput, ClusterResult>
