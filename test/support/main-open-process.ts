/** Opens the history as an ordinary user, and says what became of it. argv: data directory. */
import { openHistory } from '#main/core/open-history.ts'

const nobody = 65_534
if (process.getuid?.() === 0) {
  process.setgid?.(nobody) // root may write anywhere, whatever the mode of a file says
  process.setuid?.(nobody)
}
const [dataDirectory = ''] = process.argv.slice(2)
const history = openHistory({ dataDirectory, host: 'cli', now: Date.now })
process.send?.(history.state)
history.close()
process.disconnect()
