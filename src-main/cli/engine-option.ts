import { Option } from 'commander'
import { engines } from '#shared/schema/engine-field.ts'

/** `--engine` */
export const engineOption = (): Option =>
  new Option('--engine <id>', 'formulas, or a simulation of every tile, link and channel')
    .choices(engines)
    .default('phase')
