import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { writeWholeFile } from '#main/export/write-whole-file.ts'

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'tessera-write-'))
})
afterEach(() => {
  rmSync(directory, { recursive: true })
})

test('replaces a file, and leaves nothing beside it', async () => {
  writeFileSync(join(directory, 'file'), 'old and longer')
  await writeWholeFile(join(directory, 'file'), 'new')
  expect(readFileSync(join(directory, 'file'), 'utf8')).toBe('new')
  expect(readdirSync(directory)).toEqual(['file'])
})

test('a failure leaves the target as it was, and nothing beside it', async () => {
  mkdirSync(join(directory, 'target'))
  writeFileSync(join(directory, 'target', 'inside'), 'kept')
  await expect(writeWholeFile(join(directory, 'target'), 'new')).rejects.toThrow(
    /EISDIR|ENOTEMPTY|EEXIST/,
  )
  expect(readdirSync(directory)).toEqual(['target'])
  expect(readFileSync(join(directory, 'target', 'inside'), 'utf8')).toBe('kept')
})
