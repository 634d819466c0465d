import type { ParentEndpoint } from '#main/jobs/endpoint.ts'

/** The part of Electron's parent port that a worker needs; plain Node has none. */
interface ParentPort {
  on(event: 'message', listener: (event: { readonly data: unknown }) => void): void
  postMessage(message: unknown): void
}

const isParentPort = (value: unknown): value is ParentPort =>
  typeof value === 'object' && value !== null && 'postMessage' in value && 'on' in value

/**
 * The process that started this one: through Electron's port in a utility process, through Node's
 * channel in a forked one. A forked process ends when its parent has gone.
 *
 * @throws Error if nobody listens: the file was run by hand
 */
export function connectParent(): ParentEndpoint {
  const port: unknown = Reflect.get(process, 'parentPort')
  if (isParentPort(port)) {
    return {
      send: message => {
        port.postMessage(message)
      },
      onMessage: listener => {
        port.on('message', event => {
          listener(event.data)
        })
      },
    }
  }
  if (process.send === undefined) {
    throw new Error('a worker is started by Tessera, not by hand: it has nobody to report to')
  }
  process.on('disconnect', () => process.exit(0))
  return {
    send: message => {
      // To a parent that has just gone, nothing can be said: the disconnect ends this process.
      if (process.connected) process.send?.(message, undefined, undefined, () => undefined)
    },
    onMessage: listener => {
      process.on('message', listener)
    },
  }
}
