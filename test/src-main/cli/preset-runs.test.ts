import { expect, test, vi } from 'vitest'
import { runCommandLine } from '#main/cli/run-command-line.ts'
import { workloadPresets } from '#shared/presets/presets.ts'
import type { AttentionDocument } from '#shared/schema/attention-document.ts'
import { resolveWorkload } from '#shared/schema/workload.ts'
import { compulsoryBytes } from '#shared/workload/attention.ts'

vi.setConfig({ testTimeout: 30_000 })

// The latent of MLA is read twice, as keys and as values; test/published/latent.test.ts has its bytes.
const decode = workloadPresets.filter(
  ({ config }) => config.phase === 'decode' && config.variant !== 'mla',
)

async function simulate(id: string, dataflow: string): Promise<AttentionDocument> {
  let stdout = ''
  let stderr = ''
  const options = ['--chip', 'flat-2026-4tb', '--workload', id, '--dataflow', dataflow]
  const status = await runCommandLine(['attention', ...options, '--no-save', '--json'], {
    writeOut: text => (stdout += text),
    writeErr: text => (stderr += text),
  })
  if (status !== 0) throw new Error(stderr)
  return JSON.parse(stdout) as AttentionDocument
}

test.each(workloadPresets)('$id runs, no faster than the roofline', async ({ id, config }) => {
  const flash = config.variant === 'mla' ? 'flash-mla' : 'fa3'
  for (const dataflow of [flash, 'flat-hc', 'flat-async', 'auto']) {
    const { result } = await simulate(id, dataflow)
    const traffic = result.hbmReadBytes + result.hbmWriteBytes
    const roofline = Math.max(
      result.usefulFlops / result.peakFlopsPerSecond,
      traffic / result.peakHbmBytesPerSecond,
    )
    expect(result.seconds).toBeGreaterThanOrEqual(roofline)
  }
})

test.each(decode)('the KV cache of $id is read once for each KV head', async ({ id, config }) => {
  for (const dataflow of ['fa3', 'flat-hc', 'flat-async']) {
    const { result } = await simulate(id, dataflow)
    expect(result.hbmReadBytes + result.hbmWriteBytes).toBe(
      compulsoryBytes(resolveWorkload(config)),
    )
  }
})
