/**
 * Settings of a property test. The seed is fixed, so that a suite gives the same answer twice;
 * TESSERA_SEED looks at other inputs.
 */
export const propertyRuns = (
  count: number,
): { readonly numRuns: number; readonly seed: number } => ({
  numRuns: count,
  seed: Number(process.env.TESSERA_SEED ?? 20_261_130),
})
