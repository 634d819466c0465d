import { fork } from 'node:child_process'
import type { WorkerEndpoint, WorkerExit } from '#main/jobs/endpoint.ts'

const keptErrorCharacters = 2000

/**
 * Starts a worker as a child process of Node.
 *
 * @param workerFile path of the worker's entry, TypeScript source or built
 */
export function launchNodeWorker(workerFile: string): WorkerEndpoint {
  const child = fork(workerFile, [], {
    execArgv: [],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  let detail = ''
  child.stderr?.setEncoding('utf8')
  child.stderr?.on('data', (text: string) => {
    detail = (detail + text).slice(-keptErrorCharacters)
  })
  const exited = new Promise<WorkerExit>(resolve => {
    child.once('close', (code, signal) => {
      resolve({ code, signal, detail: detail.trim() })
    })
    child.once('error', error => {
      if (child.pid === undefined) resolve({ code: null, signal: null, detail: error.message })
    })
  })
  return {
    send: message => {
      // A message to a process that has just ended is lost; its exit is reported all the same.
      if (child.connected) child.send(message as object, () => undefined)
    },
    onMessage: listener => {
      child.on('message', listener)
    },
    onExit: listener => {
      void exited.then(listener)
    },
    kill: () => {
      child.kill('SIGKILL')
    },
  }
}
