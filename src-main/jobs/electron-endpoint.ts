import { utilityProcess } from 'electron'
import type { WorkerEndpoint } from '#main/jobs/endpoint.ts'

const keptErrorCharacters = 2000

/**
 * Starts a worker as a utility process; only once the app is ready.
 *
 * @param workerFile path of the worker's built entry
 */
export function launchUtilityWorker(workerFile: string): WorkerEndpoint {
  const child = utilityProcess.fork(workerFile, [], {
    serviceName: 'Tessera simulation',
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let detail = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    detail = (detail + chunk.toString('utf8')).slice(-keptErrorCharacters)
  })
  return {
    send: message => {
      child.postMessage(message)
    },
    onMessage: listener => {
      child.on('message', listener)
    },
    onExit: listener => {
      child.once('exit', code => {
        listener({ code, signal: null, detail: detail.trim() })
      })
    },
    kill: () => {
      child.kill()
    },
  }
}
