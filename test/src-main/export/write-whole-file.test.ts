import { execFileSync } from 'node:child_process'
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { readFile } from 'node:fs/promises'
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

test('a symbolic link stays one: the file behind it is replaced', async () => {
  writeFileSync(join(directory, 'file'), 'old')
  symlinkSync('file', join(directory, 'first'))
  symlinkSync('first', join(directory, 'second'))
  await writeWholeFile(join(directory, 'second'), 'new')
  expect(lstatSync(join(directory, 'second')).isSymbolicLink()).toBe(true)
  expect(readFileSync(join(directory, 'file'), 'utf8')).toBe('new')
})

test('a link to nothing yet brings the file into being where it points to', async () => {
  symlinkSync('later', join(directory, 'link'))
  await writeWholeFile(join(directory, 'link'), 'new')
  expect(lstatSync(join(directory, 'link')).isSymbolicLink()).toBe(true)
  expect(readFileSync(join(directory, 'later'), 'utf8')).toBe('new')
})

// A rename would put a file in the place of the pipe, or of /dev/null.
test('a pipe is written to, not replaced', async () => {
  const pipe = join(directory, 'pipe')
  execFileSync('mkfifo', [pipe])
  const [read] = await Promise.all([readFile(pipe, 'utf8'), writeWholeFile(pipe, 'through it')])
  expect(read).toBe('through it')
  expect(statSync(pipe).isFIFO()).toBe(true)
  expect(readdirSync(directory)).toEqual(['pipe'])
})

test('who may read a file does not change', async () => {
  const file = join(directory, 'file')
  writeFileSync(file, 'old', { mode: 0o600 })
  await writeWholeFile(file, 'new')
  expect(statSync(file).mode & 0o777).toBe(0o600)
})

test('a name may be as long as the file system allows', async () => {
  const name = 'n'.repeat(255)
  await writeWholeFile(join(directory, name), 'new')
  expect(readdirSync(directory)).toEqual([name])
})
