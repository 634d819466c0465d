import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const root = join(import.meta.dirname, '..', '..')

interface Violation {
  readonly from: string
  readonly to: string
  readonly rule: { readonly name: string }
}

function violations(directory: string): Violation[] {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [
      join(root, 'node_modules', 'dependency-cruiser', 'bin', 'dependency-cruiser.mjs'),
      ...['--config', '.dependency-cruiser.cjs', '--output-type', 'json'],
      ...['src-shared', 'src-main', 'src-renderer'],
    ],
    { cwd: directory, encoding: 'utf8', maxBuffer: 2 ** 28 },
  )
  if (stdout === '') throw new Error(stderr)
  return (JSON.parse(stdout) as { summary: { violations: Violation[] } }).summary.violations
}

test('the sources keep to the layers', { timeout: 60_000 }, () => {
  const found = violations(root).map(({ from, to, rule }) => `${rule.name}: ${from} -> ${to}`)
  expect(found).toEqual([])
})

/** Each file breaks the rule that stands beside it. */
const breaches: readonly (readonly [rule: string, file: string, line: string])[] = [
  ['resolvable', 'src-shared/base/a.ts', "import '#shared/base/nothing.ts'"],
  ['resolvable', 'src-main/core/a.ts', "import 'no-such-package'"],
  ['no-cycles', 'src-shared/units/a.ts', "import '#shared/units/b.ts'"],
  ['shared-units', 'src-shared/units/c.ts', "import '#shared/schema/target.ts'"],
  ['shared-models', 'src-shared/models/a.ts', "import '#shared/schema/target.ts'"],
  ['shared-schema', 'src-shared/schema/a.ts', "import '#shared/models/target.ts'"],
  ['shared-without-node', 'src-shared/models/b.ts', "import 'node:fs'"],
  ['shared-alone', 'src-shared/simulate/a.ts', "import '#main/core/target.ts'"],
  ['shared-alone', 'src-shared/simulate/b.ts', "import 'vue'"],
  ['zod-in-one-place', 'src-main/ipc/a.ts', "import { z } from 'zod'\nz.string()"],
  ['electron-confined', 'src-main/core/b.ts', "import { app } from 'electron'\napp.quit()"],
  ['electron-parts-confined', 'src-main/server/a.ts', "import '#main/platform/target.ts'"],
  ['sqlite-confined', 'src-main/storage/a.ts', "import Db from 'better-sqlite3'\nnew Db('')"],
  ['preload-thin', 'src-main/preload/a.ts', "import '#shared/ipc/contract.ts'"],
  ['storage-low', 'src-main/storage/b.ts', "import '#main/jobs/target.ts'"],
  ['migrations-alone', 'src-main/storage/migrations/0001.ts', "import '#main/storage/target.ts'"],
  ['core-without-hosts', 'src-main/core/c.ts', "import '#main/server/target.ts'"],
  ['no-development-packages-in-main', 'src-main/core/d.ts', "import 'vue'"],
  ['main-without-page', 'src-main/core/e.ts', "import '#renderer/ui/target.ts'"],
  ['page-without-main', 'src-renderer/state/a.ts', "import '#main/core/target.ts'"],
  ['page-runs-no-model', 'src-renderer/state/b.ts', "import '#shared/simulate/target.ts'"],
  ['page-without-node', 'src-renderer/state/c.ts', "import 'node:path'"],
  [
    'features-apart',
    'src-renderer/features/lab/a.ts',
    "import '#renderer/features/history/target.ts'",
  ],
  ['ui-alone', 'src-renderer/ui/a.ts', "import '#renderer/state/target.ts'"],
  [
    'ui-alone',
    'src-renderer/ui/AppThing.vue',
    '<script setup lang="ts">\nimport \'#renderer/state/target.ts\'\n</script>\n<template><p /></template>',
  ],
]

/** Imports that are fine, some of them only as types. */
const lawful: readonly (readonly [file: string, line: string])[] = [
  [
    'src-main/core/y.ts',
    "import type { Database } from 'better-sqlite3'\nexport type D = Database",
  ],
  ['src-main/core/z.ts', "import type { App } from 'electron'\nexport type A = App"],
  [
    'src-shared/schema/y.ts',
    "import type { T } from '#shared/hardware/target.ts'\nexport type U = T",
  ],
  ['src-renderer/features/lab/y.ts', "import '#renderer/state/target.ts'"],
  [
    'src-main/app/y.ts',
    "import { app } from 'electron'\nimport '#main/core/target.ts'\napp.quit()",
  ],
]

describe('a deliberate breach is caught', () => {
  let directory: string
  let found: readonly Violation[]

  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'tessera-layers-'))
    for (const name of [
      'package.json',
      'tsconfig.json',
      'tsconfig.base.json',
      '.dependency-cruiser.cjs',
    ]) {
      cpSync(join(root, name), join(directory, name))
    }
    symlinkSync(join(root, 'node_modules'), join(directory, 'node_modules'))
    const write = (file: string, text: string) => {
      mkdirSync(dirname(join(directory, file)), { recursive: true })
      writeFileSync(join(directory, file), `${text}\n`)
    }
    const imported = [...breaches.map(([, , line]) => line), ...lawful.map(([, line]) => line)]
    for (const [, alias = '', path = ''] of imported
      .join('\n')
      .matchAll(/'#(\w+)\/([^']+target\.ts)'/g)) {
      write(`src-${alias}/${path}`, 'export type T = string')
    }
    write('root.ts', 'export {}') // tsconfig.json wants to have a file
    write('src-shared/ipc/contract.ts', 'export {}')
    write('src-shared/units/b.ts', "import '#shared/units/a.ts'")
    for (const [, file, line] of breaches) write(file, line)
    for (const [file, line] of lawful) write(file, line)
    found = violations(directory)
  }, 60_000)

  afterAll(() => {
    rmSync(directory, { recursive: true })
  })

  test.each(breaches)('%s: %s', (rule, file) => {
    expect(
      found.filter(({ from }) => from === file).map(violation => violation.rule.name),
    ).toContain(rule)
  })

  test.each(lawful)('%s is let through', file => {
    expect(found.filter(({ from }) => from === file)).toEqual([])
  })
})
