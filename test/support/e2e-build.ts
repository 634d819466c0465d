import { buildWhenStale } from '#main/start/build-when-stale.ts'

/** Builds the page once, before the first end-to-end test; Vitest calls it. */
export async function setup(): Promise<void> {
  await buildWhenStale(line => {
    process.stderr.write(`${line}\n`)
  })
}
