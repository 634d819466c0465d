/**
 * Mean number of aligned units of `unit` bytes that a row of `row` bytes touches, where rows start
 * at multiples of both their own length and the `stride` between them.
 *
 *   units = (row + unit − gcd(row, stride, unit)) / unit
 *
 * An aligned row that fills its units touches no more than them; a short or unaligned row touches
 * the ends of two. A row of 28 bytes touches 1.375 units of 64 bytes on average.
 *
 * Source: counting, over all positions of a row relative to the units.
 * Checked by: test/src-shared/models/summa/strided-rows.test.ts, by enumeration
 */
export function touchedUnits(row: number, stride: number, unit: number): number {
  if (row <= 0) return 0
  return (row + unit - greatestCommonDivisor(greatestCommonDivisor(row, stride), unit)) / unit
}

function greatestCommonDivisor(a: number, b: number): number {
  let [larger, smaller] = [a, b]
  while (smaller > 0) [larger, smaller] = [smaller, larger % smaller]
  return larger
}
