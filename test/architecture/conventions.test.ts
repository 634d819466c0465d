import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { channels } from '#shared/ipc/channels.ts'
import { requests } from '#shared/ipc/contract.ts'
import { chipPresets, workloadPresets } from '#shared/presets/presets.ts'
import { modelPresets } from '#shared/presets/model-presets.ts'
import { systemPresets } from '#shared/presets/system-presets.ts'
import { filesBelow, projectRoot } from '#test/support/source-files.ts'

const sources = filesBelow('src-shared', 'src-main', 'src-renderer')
const tests = filesBelow('test')
const read = (file: string) => readFileSync(join(projectRoot, file), 'utf8')
const code = [...sources, ...tests].filter(file => /\.(ts|vue|mjs)$/.test(file))

describe('file names', () => {
  test('are kebab-case, or those of the component or composable inside', () => {
    const allowed = [
      /^[a-z0-9]+(-[a-z0-9]+)*(\.d|\.test)?\.(ts|mjs|css|html|json|md)$/,
      /^([A-Z][a-z0-9]*){2,}(\.test)?(\.ts|\.vue)$/,
      /^use[A-Z][A-Za-z0-9]*(\.test)?\.ts$/,
      /^App\.vue$/,
    ]
    const odd = [...sources, ...tests].filter(
      file =>
        !allowed.some(pattern => pattern.test(basename(file))) && basename(file) !== 'README.md',
    )
    expect(odd).toEqual([])
  })

  test('name an idea', () => {
    const vague = /^(utils?|helpers?|common|misc|types|shared|lib)\.(ts|vue)$/
    expect([...sources, ...tests].filter(file => vague.test(basename(file)))).toEqual([])
  })

  test('there are no barrels: index files are entries of a process', () => {
    expect(sources.filter(file => basename(file) === 'index.ts')).toEqual([
      'src-main/app/index.ts',
      'src-main/cli/index.ts',
      'src-main/preload/index.ts',
    ])
  })
})

describe('exceptions may only become fewer', () => {
  const count = (pattern: RegExp) =>
    code
      .filter(file => file !== 'test/architecture/conventions.test.ts')
      .map(file => read(file).match(pattern)?.length ?? 0)
      .reduce((sum, found) => sum + found, 0)

  test.each([
    ['linter switched off', /eslint-disable/g, 0],
    ['compiler switched off', /@ts-(ignore|expect-error|nocheck)/g, 0],
    ['work left for later', /\b(TODO|FIXME|XXX)\b/g, 0],
    ['skipped or lone tests', /\b(test|it|describe)\.(skip|only|todo|fails)\b/g, 0],
  ])('%s', (_, pattern, atMost) => {
    expect(count(pattern)).toBeLessThanOrEqual(atMost)
  })
})

describe('lists that must agree', () => {
  test('every channel has a contract, and no other has', () => {
    expect(Object.keys(requests).toSorted()).toEqual(channels.toSorted())
  })

  test.each([
    ['chips', chipPresets],
    ['workloads', workloadPresets],
    ['systems', systemPresets],
    ['models', modelPresets],
  ])('every preset file in %s is offered, under the id of its file name', (folder, presets) => {
    const files = filesBelow(`resources/presets/${folder}`).map(file => basename(file, '.json'))
    expect(presets.map(({ id }) => id).toSorted()).toEqual(files.toSorted())
  })

  test('every preset names its source', () => {
    const silent = [...chipPresets, ...workloadPresets, ...systemPresets, ...modelPresets].filter(
      ({ source }) => source.trim() === '',
    )
    expect(silent).toEqual([])
  })
})
