import { fileURLToPath } from 'node:url'
import { launchNodeWorker } from '#main/jobs/node-endpoint.ts'
import type { WorkerEndpoint } from '#main/jobs/endpoint.ts'

export const supportFile = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

/** A worker whose simulation acts by the name of the workload. */
export const launchStandInWorker = (): WorkerEndpoint =>
  launchNodeWorker(supportFile('main-stand-in-worker.ts'))

export const launchRealWorker = (): WorkerEndpoint =>
  launchNodeWorker(supportFile('../../src-main/jobs/worker.ts'))
