/** What stands where there is no number to show. */
export const NOT_AVAILABLE = 'n/a'

interface Prefix {
  readonly factor: number
  readonly unit: string
}

const capacityPrefixes: readonly Prefix[] = [
  { factor: 2 ** 40, unit: 'TiB' },
  { factor: 2 ** 30, unit: 'GiB' },
  { factor: 2 ** 20, unit: 'MiB' },
  { factor: 2 ** 10, unit: 'KiB' },
  { factor: 1, unit: 'B' },
]

const decimalPrefixes = (unit: string): readonly Prefix[] =>
  [
    ['P', 1e15],
    ['T', 1e12],
    ['G', 1e9],
    ['M', 1e6],
    ['k', 1e3],
    ['', 1],
  ].map(([prefix, factor]) => ({ factor: Number(factor), unit: `${String(prefix)}${unit}` }))

const ratePrefixes = decimalPrefixes('B/s')
const hertzPrefixes = decimalPrefixes('Hz')
const flopPrefixes = decimalPrefixes('FLOP')
const flopRatePrefixes: readonly Prefix[] = [
  { factor: 1e15, unit: 'PFLOPS' },
  { factor: 1e12, unit: 'TFLOPS' },
  { factor: 1e9, unit: 'GFLOPS' },
  { factor: 1e6, unit: 'MFLOPS' },
  { factor: 1, unit: 'FLOPS' },
]
const timePrefixes: readonly Prefix[] = [
  { factor: 1, unit: 's' },
  { factor: 1e-3, unit: 'ms' },
  { factor: 1e-6, unit: 'µs' },
  { factor: 1e-9, unit: 'ns' },
]

/**
 * A plain number: thousands separators, at most `digits` significant digits below 10,000 and whole
 * above; a power of ten where it is too small or too large to read.
 *
 * @returns 'n/a' for what is not a finite number
 */
export function formatNumber(value: number | null | undefined, digits = 4): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return NOT_AVAILABLE
  const size = Math.abs(value)
  if (size !== 0 && (size < 1e-4 || size >= 1e15)) return exponential(value, digits)
  if (size >= 10 ** digits || Number.isInteger(value)) {
    return separated(Math.round(value).toFixed(0))
  }
  return separated(withoutTrailingZeros(value.toPrecision(digits)))
}

/** A whole count with thousands separators and its unit: 1,234,567 cycles. */
export function formatCount(value: number | null | undefined, unit: string): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return NOT_AVAILABLE
  return `${separated(Math.round(value).toFixed(0))} ${unit}`
}

export const formatCycles = (value: number | null | undefined): string =>
  formatCount(value, 'cycles')

/** Bytes as a capacity or a volume, in powers of 1,024: 74.51 GiB. */
export const formatBytes = (value: number | null | undefined, digits = 4): string =>
  prefixed(value, capacityPrefixes, digits)

/** Bytes per second in powers of 1,000: 2.048 TB/s. */
export const formatByteRate = (value: number | null | undefined, digits = 4): string =>
  prefixed(value, ratePrefixes, digits)

/** A count of FLOPs in powers of 1,000: 274.9 GFLOP. */
export const formatFlops = (value: number | null | undefined, digits = 4): string =>
  prefixed(value, flopPrefixes, digits)

/** FLOPs per second in powers of 1,000: 989.4 TFLOPS. */
export const formatFlopRate = (value: number | null | undefined, digits = 4): string =>
  prefixed(value, flopRatePrefixes, digits)

/** Seconds as ns, µs, ms or s. */
export const formatSeconds = (value: number | null | undefined, digits = 4): string =>
  prefixed(value, timePrefixes, digits)

/** A fraction as a percentage with one decimal: 0.893 is 89.3 %. */
export function formatPercent(fraction: number | null | undefined, decimals = 1): string {
  if (fraction === null || fraction === undefined || !Number.isFinite(fraction)) {
    return NOT_AVAILABLE
  }
  const percent = fraction * 100
  if (Math.abs(percent) < 1e6) return `${separated(percent.toFixed(decimals))} %`
  const text = formatNumber(percent)
  return text === NOT_AVAILABLE ? text : `${text} %`
}

/** A ratio with two decimals: 4.13×. */
export function formatRatio(ratio: number | null | undefined): string {
  if (ratio === null || ratio === undefined || !Number.isFinite(ratio)) return NOT_AVAILABLE
  return `${formatNumber(ratio, ratio >= 100 ? 4 : 3)}×`
}

/** A value in the unit that an explanation or a metric declares; SI units get a prefix. */
export function formatQuantity(value: number | null | undefined, unit: string, digits = 4): string {
  switch (unit) {
    case 's':
      return formatSeconds(value, digits)
    case 'B':
      return formatBytes(value, digits)
    case 'B/s':
      return formatByteRate(value, digits)
    case 'FLOP':
      return formatFlops(value, digits)
    case 'FLOP/s':
      return formatFlopRate(value, digits)
    case 'Hz':
      return prefixed(value, hertzPrefixes, digits)
    case '%':
      return formatPercent(value)
    case '×':
      return formatRatio(value)
    case '1':
    case '':
      return formatNumber(value, digits)
    case 'cycles':
      return formatFractionalCycles(value, digits)
    default: {
      const text = formatNumber(value, digits)
      return text === NOT_AVAILABLE ? text : `${text} ${unit}`
    }
  }
}

/** Constants of the model may be 2.07 cycles; counts of a run are whole. */
function formatFractionalCycles(value: number | null | undefined, digits: number): string {
  if (typeof value !== 'number' || Math.abs(value) >= 1000) return formatCycles(value)
  const text = formatNumber(value, digits)
  return text === NOT_AVAILABLE ? text : `${text} cycles`
}

function prefixed(
  value: number | null | undefined,
  prefixes: readonly Prefix[],
  digits: number,
): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return NOT_AVAILABLE
  const smallest = prefixes.at(-1)
  if (smallest === undefined) return formatNumber(value, digits)
  if (value === 0) return `0 ${smallest.factor < 1 ? (prefixes[0]?.unit ?? '') : smallest.unit}`
  const size = Math.abs(value)
  const index = prefixes.findIndex(({ factor }) => size >= factor)
  const chosen = index === -1 ? smallest : (prefixes[index] ?? smallest)
  const larger = index > 0 ? prefixes[index - 1] : undefined
  const roundsUp =
    larger !== undefined &&
    Number((size / chosen.factor).toPrecision(digits)) >= larger.factor / chosen.factor
  const { factor, unit } = roundsUp ? larger : chosen
  return `${formatNumber(value / factor, digits)} ${unit}`
}

function exponential(value: number, digits: number): string {
  const [mantissa = '', exponent = ''] = value.toExponential(digits - 1).split('e')
  return `${withoutTrailingZeros(mantissa)}e${exponent.replace('+', '')}`
}

const withoutTrailingZeros = (text: string): string =>
  text.includes('.') ? text.replace(/\.?0+$/, '') : text

function separated(text: string): string {
  const [whole = '', fraction] = text.split('.')
  const grouped = whole.replace(/\B(?=(\d{3})+(?!\d))/g, ',')
  return fraction === undefined ? grouped : `${grouped}.${fraction}`
}
