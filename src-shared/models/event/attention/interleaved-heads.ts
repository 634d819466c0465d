import type { RowBlock } from '#shared/models/event/attention/attention-work.ts'

/** The row blocks of the two heads that run together, and those of a job that is left over. */
export function interleavedHeads(work: readonly RowBlock[]): [RowBlock[], RowBlock[], RowBlock[]] {
  const jobs = [...new Set(work.map(block => block.job))]
  const paired = jobs.length - (jobs.length % 2)
  const heads: [RowBlock[], RowBlock[], RowBlock[]] = [[], [], []]
  if (work.every(block => block.columnBlocks === 0)) return [[], [], [...work]]
  const place = new Map(jobs.map((job, index) => [job, index]))
  for (const block of work) {
    const index = place.get(block.job) ?? 0
    if (index >= paired) heads[2].push(block)
    else heads[index % 2 === 0 ? 0 : 1].push(block)
  }
  return heads
}
