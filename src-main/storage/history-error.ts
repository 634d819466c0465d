/** A request to the history that cannot be met as it stands. */
export class HistoryError extends Error {
  override readonly name = 'HistoryError'
  readonly code: 'not-found' | 'bad-input'

  constructor(code: 'not-found' | 'bad-input', message: string) {
    super(message)
    this.code = code
  }
}

export const noSuchExperiment = (id: number): HistoryError =>
  new HistoryError('not-found', `there is no experiment ${String(id)} in the history`)
