/** How a worker process came to its end. */
export interface WorkerExit {
  readonly code: number | null
  /** Name of the signal that ended it, where the platform tells. */
  readonly signal: string | null
  /** The last that it wrote to standard error, '' if nothing. */
  readonly detail: string
}

/** A worker process, seen from the process that started it. */
export interface WorkerEndpoint {
  send(message: unknown): void
  onMessage(listener: (message: unknown) => void): void
  /** Called once, also when the process could not be started at all. */
  onExit(listener: (exit: WorkerExit) => void): void
  /** Ends the process at once; `onExit` follows. */
  kill(): void
}

/** The process that started this one, seen from a worker. */
export interface ParentEndpoint {
  send(message: unknown): void
  onMessage(listener: (message: unknown) => void): void
}
