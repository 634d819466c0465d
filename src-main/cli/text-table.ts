/**
 * Rows of cells as aligned text; numbers should come already formatted. A cell is one line: a line
 * break in it would look like a row.
 */
export function textTable(
  cells: readonly (readonly string[])[],
  alignments: readonly ('left' | 'right')[] = [],
): string {
  const rows = cells.map(row => row.map(cell => cell.replaceAll(/\s*[\n\r\u2028\u2029]\s*/g, ' ')))
  const columnCount = Math.max(0, ...rows.map(row => row.length))
  const widths = Array.from({ length: columnCount }, (_, column) =>
    Math.max(...rows.map(row => (row[column] ?? '').length)),
  )
  return rows
    .map(row =>
      row
        .map((cell, column) => {
          const width = widths[column] ?? 0
          return alignments[column] === 'right' ? cell.padStart(width) : cell.padEnd(width)
        })
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** Every line moved to the right by two spaces. */
export const indented = (text: string): string => text.replaceAll(/^(?=.)/gm, '  ')
