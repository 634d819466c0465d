import { expect, test } from 'vitest'
import { createOutput } from '#main/cli/output.ts'
import { textTable } from '#main/cli/text-table.ts'

function capture() {
  const written = { out: '', err: '' }
  const output = createOutput({
    writeOut: text => (written.out += text),
    writeErr: text => (written.err += text),
  })
  return { output, written }
}

/** Sets the title of the terminal, turns to red, and begins a sequence in one character. */
const name = 'a\u001b]0;title\u0007\u001b[31mb\u009b2J\u007f'
const shown = 'a\\u001b]0;title\\u0007\\u001b[31mb\\u009b2J\\u007f'

test('a terminal is not given control characters, lines and columns stay', () => {
  const { output, written } = capture()
  output.print(`${name}\n\tÄ 漢 µ`)
  output.note(name)
  expect(written).toEqual({ out: `${shown}\n\tÄ 漢 µ\n`, err: `${shown}\n` })
})

test('a text cannot turn the direction of what follows', () => {
  const { output, written } = capture()
  output.print('a\u202Egpj.exe')
  expect(written.out).toBe('a\\u202egpj.exe\n')
})

test('a JSON document means the same as before', () => {
  const { output, written } = capture()
  output.printJson({ name })
  expect(JSON.parse(written.out)).toEqual({ name })
  expect(written.out).not.toMatch(/[\u007f-\u009f]/)
})

test('a line break in a cell makes no row', () => {
  expect(
    textTable([
      ['1', 'a\r\n2  b'],
      ['3', 'c'],
    ]),
  ).toBe('1  a 2  b\n3  c')
})
