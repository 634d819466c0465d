#!/usr/bin/env node
/**
 * Starts the command line under a Node that runs TypeScript. This file itself must run under the
 * Node that the machine happens to have, however old.
 */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { constants } from 'node:os'
import { fileURLToPath } from 'node:url'

const requiredMajor = 24

function projectNode() {
  const executable = process.platform === 'win32' ? 'node.exe' : 'node'
  const bundled = fileURLToPath(
    new URL(`../../node_modules/node/bin/${executable}`, import.meta.url),
  )
  if (existsSync(bundled)) return bundled
  if (Number(process.versions.node.split('.')[0]) >= requiredMajor) return process.execPath
  return undefined
}

function run(node) {
  const script = fileURLToPath(new URL('./index.ts', import.meta.url))
  const child = spawn(node, [script, ...process.argv.slice(2)], { stdio: 'inherit' })
  // The terminal sends Ctrl+C to the child as well; the child decides how to end.
  process.on('SIGINT', () => undefined)
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('error', error => {
    process.stderr.write(`tessera: cannot start ${node}: ${error.message}\n`)
    process.exit(1)
  })
  child.on('exit', (status, signal) => {
    process.exit(signal === null ? (status ?? 1) : 128 + constants.signals[signal])
  })
}

const node = projectNode()
if (node === undefined) {
  process.stderr.write(
    `tessera: needs Node ${String(requiredMajor)} or newer, this is ${process.version}; run "npm ci" in the project, which brings one\n`,
  )
  process.exit(1)
} else {
  run(node)
}
