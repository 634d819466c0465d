/** A host that starts an endless run, and says its number. argv: data directory. */
import { createCore } from '#main/core/create-core.ts'
import { makeSpecNamed } from '#test/support/main-inputs.ts'
import { launchStandInWorker } from '#test/support/main-launch.ts'

const [dataDirectory = ''] = process.argv.slice(2)
const core = createCore({
  host: 'browser',
  dataDirectory,
  appVersion: '0.0.0',
  maxWorkers: 1,
  launchWorker: launchStandInWorker,
  printReport: () => Promise.resolve({ kind: 'cancelled' }),
  log: line => {
    process.stderr.write(`${line}\n`)
  },
})
core.subscribe(event => {
  if (event.type === 'job:event' && event.payload.kind === 'progress') {
    process.send?.(event.payload.runId)
  }
})
await core.dispatch('experiment:start', { spec: makeSpecNamed('endless'), again: false })
