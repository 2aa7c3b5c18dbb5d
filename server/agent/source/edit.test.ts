import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cpuMs } from '../../testing/cpu.ts'
import { applyEdit, storedText } from './edit.ts'

const edited = (text: string, old: string, replacement: string, all?: boolean) => {
  const result = applyEdit(text, { old, new: replacement, all })
  return result.ok ? result.text : result.code
}

/** Each case has a file, old and new text, and the expected text or refusal. */
const CASES: [name: string, file: string, old: string, next: string, expected: string][] = [
  ['a word', 'a b c\n', 'b', 'x', 'a x c\n'],
  ['a whole line', 'one\ntwo\nthree\n', 'two\n', 'zwei\n', 'one\nzwei\nthree\n'],
  ['several lines', 'a\nb\nc\nd\n', 'b\nc', 'B\nC', 'a\nB\nC\nd\n'],
  ['the first line', 'a\nb\n', 'a\n', 'x\n', 'x\nb\n'],
  ['the last line', 'a\nb\n', 'b\n', 'x\n', 'a\nx\n'],
  ['deleting a line', 'a\nb\nc\n', 'b\n', '', 'a\nc\n'],
  ['a $ in new is no group', 'price\n', 'price', "$1 $& $$ $'", "$1 $& $$ $'\n"],
  ['a backslash in new stays', 'a\n', 'a', '\\n\\t', '\\n\\t\n'],
  ['regular expression characters in old', 'f(a.b)[0]\n', 'f(a.b)[0]', 'g', 'g\n'],
  ['emoji', 'say 👩‍🚀 hi\n', '👩‍🚀', '🌱', 'say 🌱 hi\n'],
  ['umlauts', 'größe\n', 'größe', 'höhe', 'höhe\n'],
  ['a file without a final newline', 'a\nb', 'b', 'c', 'a\nc'],
  ['CRLF in old', 'a\nb\nc\n', 'a\r\nb', 'x\ny', 'x\ny\nc\n'],
  ['CRLF in new is stored as LF', 'a\n', 'a', 'x\r\ny', 'x\ny\n'],
  ['CRLF on both sides', 'a\nb\n', 'a\r\nb\r\n', 'x\r\ny\r\n', 'x\ny\n'],
  ['trailing blanks in the file', 'a  \nb\n', 'a\nb', 'x\ny', 'x\ny\n'],
  ['trailing blanks in old', 'a\nb\n', 'a \nb  ', 'x\ny', 'x\ny\n'],
  ['trailing tab in the file', 'a\t\nb\n', 'a\nb\n', 'x\n', 'x\n'],
  [
    'old without the file’s indentation',
    '  if (a) {\n    b()\n  }\n',
    'if (a) {\n  b()\n}',
    'c()',
    '  c()\n',
  ],
  ['old with more indentation', 'a(\n  b,\n)\n', '    a(\n      b,\n    )', '    a()', 'a()\n'],
  [
    'new is shifted with its inner indentation',
    '    x\n    y\n',
    'x\ny',
    'x {\n  z\n}',
    '    x {\n      z\n    }\n',
  ],
  ['tabs against spaces at the margin', '\ta\n\tb\n', '  a\n  b', '  c\n  d', '\tc\n\td\n'],
  ['inner indentation must still agree', '  a\n      b\n', 'a\n  b', 'x', 'no_match'],
  ['blank lines within an indented block', '  a\n\n  b\n', 'a\n\nb', 'c', '  c\n'],
  ['new with a blank line gets no trailing blanks', '  a\n  b\n', 'a\nb', 'a\n\nb', '  a\n\n  b\n'],
  ['a line of new left of the margin is moved in', '  a\n  b\n', '    a\n    b', ' c', '  c\n'],
  ['twice in the file', 'a\nb\na\n', 'a', 'x', 'many_matches'],
  ['twice once trailing blanks are ignored', 'a \nb\na  \nb\n', 'a\nb', 'x', 'many_matches'],
  ['twice once indentation is ignored', ' a\n b\n  a\n  b\n', '   a\n   b', 'x', 'many_matches'],
  ['exact once wins over a second loose match', 'a\nb\nz\na \nb\n', 'a\nb\nz', 'x', 'x\na \nb\n'],
  ['not there', 'a\n', 'b', 'x', 'no_match'],
  ['other case', 'Hello\n', 'hello', 'x', 'no_match'],
  ['nearly there is not there', 'const total = 1\n', 'const totals = 1', 'x', 'no_match'],
  ['more lines than the file has', 'a\n', 'a\nb\nc\nd', 'x', 'no_match'],
  ['empty old', 'a\n', '', 'x', 'invalid_arguments'],
  ['old equal to new', 'a\n', 'a', 'a', 'invalid_arguments'],
  ['an empty file', '', 'a', 'x', 'no_match'],
  ['old with only a newline occurs often', 'a\nb\n', '\n', 'x', 'many_matches'],
]

for (const [name, file, old, next, expected] of CASES) {
  test(`edit: ${name}`, () => assert.equal(edited(file, old, next), expected))
}

test('edit: all replaces every exact occurrence, also overlapping ones once', () => {
  assert.equal(edited('a b a b a\n', 'a', '$&', true), '$& b $& b $&\n')
  assert.equal(edited('aaaa\n', 'aa', 'b', true), 'bb\n')
  assert.equal(edited('  a\n', 'a ', 'x', true), 'no_match', 'all works on the exact text only')
})

test('edit: many_matches lists the line numbers', () => {
  const result = applyEdit('a\nb\na\n', { old: 'a', new: 'x' })
  assert.match(result.ok ? '' : result.message, /lines 1, 3/)
})

test('edit: the changed lines are reported with their new text', () => {
  const result = applyEdit('1\n2\n3\n4\n', { old: '2\n3', new: 'a\nb\nc' })
  assert.deepEqual(result.ok && [result.fromLine, result.toLine], [2, 4])
})

test('edit: nothing outside the matched span changes, whatever the text', () => {
  const alphabet = ['a', 'b', ' ', '\n', '\t', '$', '👋', '\\']
  let seed = 7
  const random = (below: number) => (seed = (seed * 1103515245 + 12345) % 2 ** 31) % below
  const word = (length: number) => Array.from({ length }, () => alphabet[random(alphabet.length)]).join('')
  for (let i = 0; i < 500; i++) {
    const before = word(random(30))
    const marker = `<<${i}>>`
    const after = word(random(30))
    const next = word(random(10))
    assert.equal(edited(before + marker + after, marker, next), before + next + after)
  }
})

test('stored text has LF line ends and a final newline', () => {
  assert.equal(storedText('a\r\nb\rc'), 'a\nb\nc\n')
  assert.equal(storedText(''), '')
})

test('edit: an old text of more than a thousand lines is refused', () => {
  const result = applyEdit('a\n', { old: 'a\n'.repeat(1_001), new: 'b' })
  assert.deepEqual(result.ok ? null : result.code, 'invalid_arguments')
})

test('edit: many matches are counted, ten of them listed', () => {
  const result = applyEdit(' a\n'.repeat(200), { old: '  a', new: 'b' })
  assert.match(result.ok ? '' : result.message, /occurs 200 times, at lines 1, 2, .*, 10 and 190 more/)
})

test('edit: a result above the size limit is refused, one at the limit is made', () => {
  const grow = (bytesMax: number) => applyEdit('äa\n', { old: 'a', new: 'öö' }, bytesMax)
  assert.equal(grow(7).ok, true)
  assert.deepEqual(grow(6).ok ? null : (grow(6) as { code: string }).code, 'too_large')
})

/** Texts and patterns for which a naive comparison at every place is quadratic. */
const REPEATING: [name: string, text: (n: number) => string, old: (n: number) => string][] = [
  ['one letter', (n) => 'a'.repeat(n), (n) => `${'a'.repeat(n / 2)}b`],
  ['its beginning', (n) => 'a'.repeat(n), (n) => `b${'a'.repeat(n / 2)}`],
  ['one line', (n) => 'x\n'.repeat(n / 2), () => `${' x\n'.repeat(999)}y`],
  ['lines at two indentations', (n) => 'x\n x\n'.repeat(n / 5), () => `${' x\n'.repeat(998)}y\n`],
  ['blank lines', (n) => '\n'.repeat(n), () => `${'\n'.repeat(998)}y\n`],
]

for (const [name, text, old] of REPEATING) {
  test(`edit: a text of ${name} takes time in proportion to its length`, () => {
    const took = (n: number) => {
      const [file, request] = [text(n), { old: old(n), new: 'z' }]
      const times = [1, 2, 3].map(() => cpuMs(() => assert.equal(applyEdit(file, request).ok, false)))
      return Math.min(...times)
    }
    const [short, long] = [took(20_000), took(200_000)]
    // Ten times the text may take about ten times as long; quadratic work would take a hundred times.
    assert.ok(long < 40 * Math.max(short, 1), `${short} ms, then ${long} ms`)
  })
}
