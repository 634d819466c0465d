import { decodeSystems } from '#shared/baselines/decode-systems.ts'

/** Deployments that others have measured, to hold a deployment against. */
export const measuredSystems = decodeSystems.filter(({ kind }) => kind === 'measured')

/** Their names without the number of chips. */
export const shortTitle = (title: string): string => title.replace(/,.*$/, '')
