/** One line of the command palette. */
export interface PaletteEntry {
  readonly key: string
  readonly group: string
  readonly label: string
  readonly shortcut?: string
  readonly run: () => void
}

/** The entries that contain every word that was typed, in their order; at most `limit`. */
export function matchEntries(
  entries: readonly PaletteEntry[],
  query: string,
  limit = 50,
): readonly PaletteEntry[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  return entries
    .filter(({ group, label }) => {
      const text = `${group} ${label}`.toLowerCase()
      return words.every(word => text.includes(word))
    })
    .slice(0, limit)
}
