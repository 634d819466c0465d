/** The throughput of a system for one of its chips: of all, and of those that work on it. */
export interface ChipThroughput {
  readonly perChip: number
  readonly perBusyChip: number
}

/**
 * Throughput per chip, by both of its meanings.
 *
 *   of the system R / C      of the busy chips R / (E · P · r)
 *
 * R  tokens per second of the system    C  all its chips    E · P · r  chips in all stages of all pipelines
 * Systems are compared by the first; the second is what a chip does that is not idle, or not kept
 * for something else.
 *
 * Source: definition.
 * Checked by: test/src-shared/models/decode/chip-throughput.test.ts
 */
export const chipThroughput = (
  systemTokensPerSecond: number,
  chips: { readonly all: number; readonly busy: number },
): ChipThroughput => ({
  perChip: systemTokensPerSecond / chips.all,
  perBusyChip: systemTokensPerSecond / chips.busy,
})
