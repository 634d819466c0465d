/** Entry of a worker process: simulates what it is told to, and never opens the database. */
import { runAttention } from '#shared/simulate/run-attention.ts'
import { connectParent } from '#main/jobs/parent-endpoint.ts'
import { serveWorker } from '#main/jobs/serve-worker.ts'

serveWorker(connectParent(), runAttention)
