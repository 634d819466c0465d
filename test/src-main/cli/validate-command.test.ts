import { expect, test, vi } from 'vitest'
import { runCommandLine } from '#main/cli/run-command-line.ts'
import { runValidation, validate } from '#shared/validation/validate.ts'

vi.mock(import('#shared/validation/validate.ts'), async importOriginal => {
  const original = await importOriginal()
  return { ...original, runValidation: vi.fn(original.runValidation) }
})

async function run(...args: string[]) {
  let stdout = ''
  let stderr = ''
  const status = await runCommandLine(['validate', ...args], {
    writeOut: text => (stdout += text),
    writeErr: text => (stderr += text),
  })
  return { status, stdout, stderr }
}

test('a target that is missed is printed all the same, and ends with status 1', async () => {
  const validation = validate(['phase'])
  const [first, ...others] = validation.sets
  if (first === undefined) throw new Error('there is nothing to validate')
  const missed = { ...validation, sets: [{ ...first, passed: false }, ...others] }
  vi.mocked(runValidation).mockImplementation(function* () {
    yield { phase: 'tile', done: 0, total: 1 }
    return missed
  })
  const { status, stdout, stderr } = await run('--summary', '--engine', 'phase')
  expect([status, stderr]).toEqual([1, `tessera: targets missed: ${first.id}\n`])
  expect(stdout).toMatch(new RegExp(`^${first.id} .* MISSED$`, 'm'))
  expect((JSON.parse((await run('--json')).stdout) as typeof validation).sets[0]?.passed).toBe(
    false,
  )
})

test('a mean stands with the spread of its points', async () => {
  const { stdout } = await run('--engine', 'phase')
  expect(stdout).toMatch(
    /over the measured GH200, mean .* [\d.]+ to [\d.]+, standard deviation [\d.]+, \d+ points/,
  )
})
