/** Stores runs in a loop, until it is killed. argv: data directory, first batch. */
import { openHistory } from '#main/core/open-history.ts'
import { makeDocument, makeSpecOfBatch } from '#test/support/main-inputs.ts'

const [dataDirectory = '', firstBatch = '1'] = process.argv.slice(2)
const history = openHistory({ dataDirectory, host: 'cli', now: Date.now })
for (let batch = Number(firstBatch); ; batch++) {
  history.use(kept => kept.recordRun(makeDocument(makeSpecOfBatch(batch)), 1))
  process.send?.(batch)
  await new Promise(resolve => {
    setTimeout(resolve, 1) // long enough for another writer to have its turn
  })
}
