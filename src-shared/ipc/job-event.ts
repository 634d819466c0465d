import type { Progress } from '#shared/simulate/simulation.ts'

export const runStatuses = ['queued', 'running', 'done', 'failed', 'cancelled', 'crashed'] as const
export type RunStatus = (typeof runStatuses)[number]

/** What happens to a run; also sent to pages that did not start it. */
export type JobEvent =
  | { readonly kind: 'queued'; readonly runId: number }
  | { readonly kind: 'started'; readonly runId: number }
  | { readonly kind: 'progress'; readonly runId: number; readonly progress: Progress }
  | { readonly kind: 'done'; readonly runId: number }
  | { readonly kind: 'failed'; readonly runId: number; readonly message: string }
  | { readonly kind: 'cancelled'; readonly runId: number }
  | { readonly kind: 'crashed'; readonly runId: number; readonly message: string }
