/**
 * Runs a prefill of 131,072 tokens in a process of its own, since the peak of its memory is that of
 * the process. Started as a program it prints what it has measured as JSON.
 */
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { presetChip, publishedInput } from '#shared/validation/published-input.ts'
import { timedRun } from '#test/bench/timed-run.ts'

const TOKENS = 131_072
const GIB = 2 ** 30

export interface LongPrefill {
  readonly title: string
  readonly seconds: number
  readonly longestMs: number
  readonly peakGiB: number
  readonly event: { readonly iterations: number; readonly simulatedIterations: number }
}

export const longPrefill = (): LongPrefill =>
  JSON.parse(
    execFileSync(process.execPath, [fileURLToPath(import.meta.url)], { encoding: 'utf8' }),
  ) as LongPrefill

function measured(): LongPrefill {
  const input = publishedInput({
    chip: presetChip('flat-2026'),
    dataflow: 'flat-async',
    ...{ batch: 2, heads: 32, headDim: 128, queryLength: TOKENS, kvLength: TOKENS },
    mapping: { groupX: 32, groupY: 32 },
  })
  const { seconds, longestMs, event } = timedRun(input)
  if (event === undefined) throw new Error('the event engine gave no report')
  const { iterations, simulatedIterations } = event
  return {
    title: 'flat-async, D 128, S 131072, 32 x 32 tiles',
    ...{ seconds, longestMs },
    // In KiB.
    peakGiB: (process.resourceUsage().maxRSS * 1024) / GIB,
    event: { iterations, simulatedIterations },
  }
}

if (import.meta.main) console.log(JSON.stringify(measured()))
