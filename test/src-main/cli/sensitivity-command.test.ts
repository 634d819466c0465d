import { describe, expect, test } from 'vitest'
import { runCommandLine } from '#main/cli/run-command-line.ts'
import type { SensitivityDocument } from '#shared/schema/sensitivity-document.ts'

async function run(...args: string[]) {
  let stdout = ''
  let stderr = ''
  const status = await runCommandLine(['sensitivity', ...args], {
    writeOut: text => (stdout += text),
    writeErr: text => (stderr += text),
  })
  return { status, stdout, stderr }
}
const kernel = ['--chip', 'flat-2026', '--workload', 'mha-prefill-d128-s1024', '--dataflow', 'fa3']

test('prints a table, most rewarding first, and what has no step', async () => {
  const { status, stdout } = await run(...kernel)
  expect(status).toBe(0)
  expect(stdout).toMatch(/PARAMETER +NOW +MORE +RUNTIME +GAIN +ELASTICITY/)
  expect(stdout).toMatch(/^ {2}HBM: channel rate +64 GB\/s +x 1\.1/m)
  expect(stdout).toContain('Vector engines: exponential rate, more: 2 is not within 0.001 to 1')
})

describe('--json', () => {
  test('is one document with the resolved input', async () => {
    const { stdout } = await run(...kernel, '--set', 'chip.noc.linkBits=512', '--json')
    const { input, result, schemaVersion } = JSON.parse(stdout) as SensitivityDocument
    expect(schemaVersion).toBe(1)
    expect(input.chip.noc.linkBits).toBe(512)
    expect(result.parameters).toHaveLength(17)
    expect(stdout).not.toContain('"explanation"')
  })

  test('has the formulas where they are asked for', async () => {
    const { stdout } = await run(...kernel, '--json', '--explain')
    const { explanation, result } = JSON.parse(stdout) as SensitivityDocument
    const first = result.parameters[0]
    expect(explanation[0]).toMatchObject({
      field: `parameters.${first?.id ?? ''}.more.elasticity`,
      value: first?.more.kind === 'step' ? first.more.elasticity : undefined,
    })
  })
})

test.each([
  [['--set', 'chip.clockGHz=0'], 'chip.clockGHz'],
  [['--set', 'mapping.sliceRows=4096'], 'L1'],
])('what cannot be is status 2 and named: %j', async (changes, named) => {
  const { status, stderr, stdout } = await run(...kernel, ...changes)
  expect(status).toBe(2)
  expect(stdout).toBe('')
  expect(stderr).toContain(named)
})
