import { fork, type ChildProcess } from 'node:child_process'
import { onTestFinished } from 'vitest'
import { supportFile } from '#test/support/main-launch.ts'

/** Forks a script beside this file; it is killed when the running test is over. */
export function forkScript(name: string, argv: readonly string[]): ChildProcess {
  const child = fork(supportFile(name), argv, {
    execArgv: [],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  return child
}

/** The next message of a child, which must not end before it. */
export const nextMessage = (child: ChildProcess): Promise<unknown> =>
  new Promise((resolve, reject) => {
    child.once('message', resolve)
    child.once('exit', code => {
      reject(new Error(`the child process ended with ${String(code)} before it said anything`))
    })
  })

/** Kills a child as a power failure would, and waits until it has gone. */
export const killHard = (child: ChildProcess): Promise<void> =>
  new Promise(resolve => {
    child.once('exit', () => {
      resolve()
    })
    child.kill('SIGKILL')
  })
