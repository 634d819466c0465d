import { parseJson } from '#main/cli/parse-json.ts'
import { readText, type ReadText } from '#main/cli/read-text.ts'
import { UsageError } from '#main/cli/usage-error.ts'
import type { Preset } from '#shared/presets/preset.ts'

const maximumCharacters = 16 * 2 ** 20

/**
 * What a preset id, a JSON file or `-` (standard input) stands for; not checked against a schema.
 *
 * @param option the option it was given to, for the message
 * @throws UsageError where there is no such preset and no such file, or the file is no JSON
 */
export async function readConfiguration(
  reference: string,
  option: 'chip' | 'workload' | 'system' | 'model',
  presets: readonly Preset<unknown>[],
  read: ReadText = readText,
): Promise<unknown> {
  const preset = presets.find(({ id }) => id === reference)
  if (preset !== undefined) return preset.config
  const source = reference === '-' ? 'standard input' : reference
  const content = await textOf(reference, option, presets, read)
  return parseJson(content.replace(/^\uFEFF/, ''), `--${option} ${source}`)
}

async function textOf(
  reference: string,
  option: string,
  presets: readonly Preset<unknown>[],
  read: ReadText,
): Promise<string> {
  try {
    return await read(reference, maximumCharacters)
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    const looksLikePath = /[./\\]/.test(reference) || reference === '-'
    if (code === 'ENOENT') {
      const known = presets.map(({ id }) => id).join(', ')
      throw new UsageError(
        looksLikePath
          ? `--${option} ${reference}: no such file; or name a preset: ${known}`
          : `--${option} ${reference}: unknown ${option} preset; known are ${known}; or give the path of a JSON file`,
        { cause: error },
      )
    }
    const reason = error instanceof Error ? error.message : String(error)
    throw new UsageError(`--${option} ${reference}: cannot be read: ${reason}`, { cause: error })
  }
}
