/** Rows of cells as aligned text; numbers should come already formatted. */
export function textTable(
  rows: readonly (readonly string[])[],
  alignments: readonly ('left' | 'right')[] = [],
): string {
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
