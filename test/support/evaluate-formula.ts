import type { Explanation } from '#shared/results/explanation.ts'

/** One statement of a formula: what it says a symbol is, and what the terms make of it. */
export interface Statement {
  readonly symbol: string
  readonly value: number
}

/**
 * Computes the statements of an explanation's formula from its terms: 'T = n · t, x = T / f' has
 * two. Text after a colon or a semicolon is a remark.
 *
 * Knows numbers, symbols, + − · /, parentheses, ⌈x⌉, ⌊x⌋, max(a, b) and min(a, b). A rule in words,
 * without an equals sign, states nothing that could be computed.
 *
 * @throws Error where the formula has anything else, or a symbol without a term
 */
export function evaluateFormula({ formula, terms }: Explanation): Statement[] {
  const values = new Map(terms.map(({ symbol, value }) => [symbol, value]))
  const mathematics = formula.split(/[:;]/)[0] ?? ''
  if (!mathematics.includes(' = ')) return []
  return mathematics.split(/, (?=\S+ = )/).map(statement => {
    const [symbol = '', ...expression] = statement.split(' = ')
    return { symbol, value: compute(expression.join(' = '), values) }
  })
}

function compute(text: string, values: ReadonlyMap<string, number>): number {
  let rest = text
  const take = (token: string): boolean => {
    rest = rest.trimStart()
    if (!rest.startsWith(token)) return false
    rest = rest.slice(token.length)
    return true
  }
  const symbols = [...values.keys()].toSorted((a, b) => b.length - a.length)

  const atom = (): number => {
    for (const [name, choose] of [
      ['max(', Math.max],
      ['min(', Math.min],
    ] as const) {
      if (!take(name)) continue
      const first = sum()
      if (!take(',')) throw new Error(`no comma in ${name}) of ${text}`)
      const second = sum()
      return closed(choose(first, second))
    }
    if (take('⌈')) return closed(Math.ceil(sum()), '⌉')
    if (take('⌊')) return closed(Math.floor(sum()), '⌋')
    if (take('(')) {
      const symbol = symbols.find(candidate => rest.startsWith(`${candidate})`))
      if (symbol === undefined) return closed(sum())
      take(symbol)
      return closed(values.get(symbol) ?? NaN)
    }
    const symbol = symbols.find(candidate => {
      const ahead = rest.trimStart()
      return ahead.startsWith(candidate) && !/[\p{L}\p{N}_]/u.test(ahead.charAt(candidate.length))
    })
    if (symbol !== undefined) {
      take(symbol)
      return values.get(symbol) ?? NaN
    }
    const number = /^\s*\d+(\.\d+)?/.exec(rest)?.[0]
    if (number === undefined) throw new Error(`cannot read "${rest}" in "${text}"`)
    rest = rest.slice(number.length)
    return Number(number)
  }
  const closed = (value: number, bracket = ')'): number => {
    if (!take(bracket)) throw new Error(`no closing parenthesis before "${rest}" in "${text}"`)
    return value
  }
  const product = (): number => {
    let value = atom()
    for (;;) {
      if (take('·')) value *= atom()
      else if (take('/')) value /= atom()
      else return value
    }
  }
  const sum = (): number => {
    let value = product()
    for (;;) {
      if (take('+')) value += product()
      else if (take('−')) value -= product()
      else return value
    }
  }
  const value = sum()
  if (rest.trim() !== '') throw new Error(`cannot read "${rest}" in "${text}"`)
  return value
}
