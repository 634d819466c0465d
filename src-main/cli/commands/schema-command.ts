import { Argument, Command } from 'commander'
import type { Output } from '#main/cli/output.ts'
import { attentionRequestSchema } from '#shared/schema/attention-input.ts'
import { checkInputSchema } from '#shared/schema/check-input.ts'
import { chipSchema } from '#shared/schema/chip.ts'
import { clusterInputSchema } from '#shared/schema/cluster-input.ts'
import { clusterSchema } from '#shared/schema/cluster.ts'
import { collectiveInputSchema } from '#shared/schema/collective-input.ts'
import { decodeInputSchema } from '#shared/schema/decode-input.ts'
import { deploymentSchema } from '#shared/schema/deployment.ts'
import { dispatchInputSchema } from '#shared/schema/dispatch-input.ts'
import { gemmInputSchema, gemmMappingSchema } from '#shared/schema/gemm-input.ts'
import { mappingSchema } from '#shared/schema/mapping.ts'
import { modelSchema } from '#shared/schema/model.ts'
import { planInputSchema } from '#shared/schema/plan-input.ts'
import { systemFileSchema } from '#shared/schema/system.ts'
import { tuneInputSchema } from '#shared/schema/tune-input.ts'
import { vectorInputSchema } from '#shared/schema/vector-input.ts'
import { workloadSchema } from '#shared/schema/workload.ts'
import { z } from '#shared/schema/zod.ts'

const schemas = {
  chip: chipSchema,
  workload: workloadSchema,
  mapping: mappingSchema,
  attention: attentionRequestSchema,
  check: checkInputSchema,
  collective: collectiveInputSchema,
  tune: tuneInputSchema,
  gemm: gemmInputSchema,
  'gemm-mapping': gemmMappingSchema,
  vector: vectorInputSchema,
  system: systemFileSchema,
  cluster: clusterSchema,
  'cluster-decode': clusterInputSchema,
  dispatch: dispatchInputSchema,
  model: modelSchema,
  deployment: deploymentSchema,
  decode: decodeInputSchema,
  plan: planInputSchema,
}

/** `tessera schema KIND` */
export function schemaCommand(output: Output): Command {
  return new Command('schema')
    .description('the JSON Schema of an input file')
    .addArgument(new Argument('<kind>', 'what it describes').choices(Object.keys(schemas)))
    .option('--json', 'accepted for uniformity: the output is JSON anyway')
    .addHelpText('after', '\nExample:\n  $ tessera schema chip > chip.schema.json')
    .action((kind: keyof typeof schemas) => {
      output.printJson(z.toJSONSchema(schemas[kind]))
    })
}
