/** Something about a result that its reader should know. */
export interface ResultWarning {
  readonly code:
    | 'padded-shape'
    | 'reference-artefact'
    | 'outside-validated-regime'
    | 'unpaired-job'
    | 'idle-tiles'
    | 'over-flattened'
    | 'memory-capacity'
    | 'extrapolated'
    | 'close-choice'
    | 'idle-chips'
    | 'idle-experts'
  readonly message: string
}
