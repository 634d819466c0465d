import type { PlanResult } from '#shared/results/plan-result.ts'
import type { ResultDocument } from '#shared/results/result-document.ts'
import { checkDeployment } from '#shared/schema/decode-input.ts'
import { decodeAttentions, deploymentSchema } from '#shared/schema/deployment.ts'
import { modelSchema } from '#shared/schema/model.ts'
import { countField, quantityField } from '#shared/schema/quantity-field.ts'
import { systemSchema } from '#shared/schema/system.ts'
import { z } from '#shared/schema/zod.ts'

const list = (label: string, unit: string, help: string, max: number) =>
  z
    .array(countField({ label, unit, help }, { min: 1, max }))
    .min(1)
    .max(64)

/** What is searched, and what a point has to meet. */
export const planSearchSchema = z
  .strictObject({
    batches: list('Batches', 'sequences', 'Of a chip.', 65_536),
    /** Left out: every split that the system and the model allow. */
    expertParallel: list(
      'Expert parallel',
      'chips',
      'Chips that share the experts.',
      1024,
    ).optional(),
    pipelineParallel: list('Pipeline parallel', 'stages', 'Pipeline stages.', 1024).optional(),
    attentions: z.array(z.enum(decodeAttentions)).min(1).max(decodeAttentions.length),
    sloMs: quantityField(
      { label: 'TPOT limit', unit: 'ms', help: 'The point of most throughput below it is wanted.' },
      { min: 0.001, max: 1_000_000 },
    ).optional(),
    minTokensPerSecondPerChip: quantityField(
      {
        label: 'Least throughput',
        unit: 'tokens/s',
        help: 'Per chip; the point of least TPOT above it is wanted.',
      },
      { min: 0, max: 1e12 },
    ).optional(),
  })
  .meta({ title: 'Tessera plan search' })

/** Everything that decides a search; of the deployment, what is searched is replaced. */
export const planInputSchema = z
  .strictObject({
    kind: z.literal('plan'),
    engine: z.literal('phase'),
    system: systemSchema,
    model: modelSchema,
    deployment: deploymentSchema,
    search: planSearchSchema,
  })
  .superRefine((input, context) => {
    const { batches, expertParallel, pipelineParallel } = input.search
    const searched: readonly string[] = [
      'batchPerChip',
      ...(expertParallel === undefined ? ['expertParallel'] : []),
      ...(pipelineParallel === undefined ? ['pipelineParallel'] : []),
    ]
    const smallest = {
      ...input.deployment,
      batchPerChip: Math.min(...batches),
      expertParallel: Math.min(...(expertParallel ?? [input.deployment.expertParallel])),
      pipelineParallel: Math.min(...(pipelineParallel ?? [input.deployment.pipelineParallel])),
      attention: input.search.attentions[0] ?? 'flat',
    }
    checkDeployment({ ...input, deployment: smallest }, (path, message) => {
      if (searched.includes(path[0] ?? '')) return
      context.addIssue({ code: 'custom', path: ['deployment', ...path], message })
    })
  })
  .meta({ title: 'Tessera plan' })

export type PlanInput = z.infer<typeof planInputSchema>
export type PlanDocument = ResultDocument<PlanInput, PlanResult>
