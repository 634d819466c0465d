/** One value of a configuration that a step changes. */
export interface FieldChange {
  /** Path in the input, such as 'chip.hbm.channels.south'. */
  readonly path: string
  readonly value: number
}

/** A parameter moved to its next value, and what becomes of the runtime. */
export type SensitivityStep =
  | {
      readonly kind: 'step'
      readonly changes: readonly FieldChange[]
      /** New value over the present one. */
      readonly factor: number
      readonly seconds: number
      /** Runtime that is saved, as a fraction of the present one; below 0 where it gets longer. */
      readonly gain: number
      /**
       * ln(runtime before / after) / |ln(factor)|: 1 where the runtime shrinks as much as the
       * parameter is improved, 0 where it does not matter.
       */
      readonly elasticity: number
    }
  /** There is no such step, or the kernel does not run with it. */
  | { readonly kind: 'none'; readonly reason: string }

export interface ParameterSensitivity {
  readonly id: string
  readonly label: string
  readonly unit: string
  /** The present value; of all edges together for HBM channels. */
  readonly value: number
  /** The step that costs hardware: more engines, a wider link, less latency. */
  readonly more: SensitivityStep
  /** The step that saves it. */
  readonly less: SensitivityStep
}

/** Runtime against each parameter of the chip, most rewarding first. */
export interface SensitivityResult {
  readonly seconds: number
  readonly cycles: number
  readonly parameters: readonly ParameterSensitivity[]
}
