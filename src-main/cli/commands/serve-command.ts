import { Command, InvalidArgumentError } from 'commander'
import type { Output } from '#main/cli/output.ts'
import { serve } from '#main/start/serve.ts'

const highestPort = 65_535

/** @throws InvalidArgumentError unless it is a port number */
function parsePort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (port <= highestPort) return port
  throw new InvalidArgumentError(
    `must be a whole number from 0 (any free one) to ${String(highestPort)}`,
  )
}

/** `tessera serve` */
export function serveCommand(output: Output): Command {
  return new Command('serve')
    .description('the app in the browser, on this machine only, until Ctrl+C')
    .option('--port <number>', 'port on 127.0.0.1; 0 for any free one', parsePort)
    .option('--no-open', 'print the address without opening the browser')
    .addHelpText('after', '\nExample:\n  $ tessera serve --port 8080 --no-open')
    .action(async ({ port, open }: { port?: number; open: boolean }) => {
      await serve({
        port,
        open,
        note: output.note,
        onReady: url => {
          output.print(url)
          output.note(
            'Tessera is at this address, for you alone: it carries the key. Ctrl+C ends it.',
          )
        },
      })
    })
}
