import { UsageError } from '#main/cli/usage-error.ts'
import type { MappingConfig } from '#shared/schema/mapping.ts'

/**
 * The mapping that `--group` asks for: `GxxGy` (columns x rows of tiles), or `auto` for the
 * tiling rule's own choice.
 *
 * @throws UsageError on anything else
 */
export function groupMapping(text: string): Pick<MappingConfig, 'groupX' | 'groupY'> {
  if (text === 'auto') return {}
  const match = /^(\d{1,9})x(\d{1,9})$/.exec(text)
  if (match === null) {
    throw new UsageError(
      `--group ${text}: must be auto or columns x rows of tiles, such as 32x32 or 8x16`,
    )
  }
  return { groupX: Number(match[1]), groupY: Number(match[2]) }
}
