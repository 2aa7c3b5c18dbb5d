import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cpuMs } from '../../testing/cpu.ts'
import { applyEdit, storedText } from './edit.ts'

const edited = (text: string, old: string, replacement: string, all?: boolean) => {
  const result = applyEdit(text, { old, new: replacement, all })
  return result.ok ? result.text : result.code
}

/** Each case has a file, the old and the new text, and the expected text or refusal. */
const CASES: [name: string, file: string, old: string, next: string, expected: string][] = [
  ['replaces a word', 'a b c\n', 'b', 'x', 'a x c\n'],
  ['replaces a whole line', 'one\ntwo\nthree\n', 'two\n', 'zwei\n', 'one\nzwei\nthree\n'],
  ['replaces several lines', 'a\nb\nc\nd\n', 'b\nc', 'B\nC', 'a\nB\nC\nd\n'],
  ['replaces the first line', 'a\nb\n', 'a\n', 'x\n', 'x\nb\n'],
  ['replaces the last line', 'a\nb\n', 'b\n', 'x\n', 'a\nx\n'],
  ['deletes a line', 'a\nb\nc\n', 'b\n', '', 'a\nc\n'],
  ['inserts a $ of the new text literally', 'price\n', 'price', "$1 $& $$ $'", "$1 $& $$ $'\n"],
  ['inserts a backslash of the new text literally', 'a\n', 'a', '\\n\\t', '\\n\\t\n'],
  ['reads regular expression characters of the old text literally', 'f(a.b)[0]\n', 'f(a.b)[0]', 'g', 'g\n'],
  ['replaces an emoji of several code points', 'say 👩‍🚀 hi\n', '👩‍🚀', '🌱', 'say 🌱 hi\n'],
  ['replaces a word with umlauts', 'größe\n', 'größe', 'höhe', 'höhe\n'],
  ['accepts a file without a final newline and adds none', 'a\nb', 'b', 'c', 'a\nc'],
  ['matches old text with CRLF in a file with LF', 'a\nb\nc\n', 'a\r\nb', 'x\ny', 'x\ny\nc\n'],
  ['stores CRLF of the new text as LF', 'a\n', 'a', 'x\r\ny', 'x\ny\n'],
  ['accepts CRLF in the old and the new text', 'a\nb\n', 'a\r\nb\r\n', 'x\r\ny\r\n', 'x\ny\n'],
  ['ignores trailing blanks in the file', 'a  \nb\n', 'a\nb', 'x\ny', 'x\ny\n'],
  ['ignores trailing blanks in the old text', 'a\nb\n', 'a \nb  ', 'x\ny', 'x\ny\n'],
  ['ignores a trailing tab in the file', 'a\t\nb\n', 'a\nb\n', 'x\n', 'x\n'],
  [
    'matches old text without the indentation of the file',
    '  if (a) {\n    b()\n  }\n',
    'if (a) {\n  b()\n}',
    'c()',
    '  c()\n',
  ],
  [
    'matches old text with more indentation than the file',
    'a(\n  b,\n)\n',
    '    a(\n      b,\n    )',
    '    a()',
    'a()\n',
  ],
  [
    'moves the new text to the indentation of the file and keeps its inner indentation',
    '    x\n    y\n',
    'x\ny',
    'x {\n  z\n}',
    '    x {\n      z\n    }\n',
  ],
  [
    'matches spaces of the old text with tabs of the file at the start of lines',
    '\ta\n\tb\n',
    '  a\n  b',
    '  c\n  d',
    '\tc\n\td\n',
  ],
  ['is refused when the inner indentation differs', '  a\n      b\n', 'a\n  b', 'x', 'no_match'],
  ['matches blank lines within an indented block', '  a\n\n  b\n', 'a\n\nb', 'c', '  c\n'],
  ['adds no blanks to a blank line of the new text', '  a\n  b\n', 'a\nb', 'a\n\nb', '  a\n\n  b\n'],
  [
    'indents a line of the new text that has less indentation than the old text',
    '  a\n  b\n',
    '    a\n    b',
    ' c',
    '  c\n',
  ],
  ['is refused when the old text occurs twice', 'a\nb\na\n', 'a', 'x', 'many_matches'],
  [
    'is refused when the old text occurs twice apart from trailing blanks',
    'a \nb\na  \nb\n',
    'a\nb',
    'x',
    'many_matches',
  ],
  [
    'is refused when the old text occurs twice apart from indentation',
    ' a\n b\n  a\n  b\n',
    '   a\n   b',
    'x',
    'many_matches',
  ],
  [
    'prefers the only exact match to a match apart from trailing blanks',
    'a\nb\nz\na \nb\n',
    'a\nb\nz',
    'x',
    'x\na \nb\n',
  ],
  ['is refused when the old text does not occur', 'a\n', 'b', 'x', 'no_match'],
  ['is refused when the old text differs by case', 'Hello\n', 'hello', 'x', 'no_match'],
  ['is refused when the old text is only similar', 'const total = 1\n', 'const totals = 1', 'x', 'no_match'],
  ['is refused when the old text has more lines than the file', 'a\n', 'a\nb\nc\nd', 'x', 'no_match'],
  ['is refused without old text', 'a\n', '', 'x', 'invalid_arguments'],
  ['is refused when the old and the new text are the same', 'a\n', 'a', 'a', 'invalid_arguments'],
  ['is refused in an empty file', '', 'a', 'x', 'no_match'],
  [
    'is refused when the old text is a newline, which occurs several times',
    'a\nb\n',
    '\n',
    'x',
    'many_matches',
  ],
]

for (const [name, file, old, next, expected] of CASES) {
  test(`an edit of a file ${name}`, () => assert.equal(edited(file, old, next), expected))
}

test('an edit of all occurrences replaces every exact match, but only the first of overlapping matches', () => {
  assert.equal(edited('a b a b a\n', 'a', '$&', true), '$& b $& b $&\n')
  assert.equal(edited('aaaa\n', 'aa', 'b', true), 'bb\n')
  assert.equal(edited('  a\n', 'a ', 'x', true), 'no_match', 'all works on the exact text only')
})

test('an edit that matches several places is refused with their line numbers', () => {
  const result = applyEdit('a\nb\na\n', { old: 'a', new: 'x' })
  assert.match(result.ok ? '' : result.message, /lines 1, 3/)
})

test('an edit of a file reports the range of the changed lines', () => {
  const result = applyEdit('1\n2\n3\n4\n', { old: '2\n3', new: 'a\nb\nc' })
  assert.deepEqual(result.ok && [result.fromLine, result.toLine], [2, 4])
})

test('an edit of a file changes nothing outside the matched text', () => {
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

test("the stored text of an app's file has LF line ends and a final newline", () => {
  assert.equal(storedText('a\r\nb\rc'), 'a\nb\nc\n')
  assert.equal(storedText(''), '')
})

test('an edit with more than a thousand lines of text to search for is refused', () => {
  const result = applyEdit('a\n', { old: 'a\n'.repeat(1_001), new: 'b' })
  assert.deepEqual(result.ok ? null : result.code, 'invalid_arguments')
})

test('the refusal of an edit with many matches states their number and lists ten of them', () => {
  const result = applyEdit(' a\n'.repeat(200), { old: '  a', new: 'b' })
  assert.match(result.ok ? '' : result.message, /occurs 200 times, at lines 1, 2, .*, 10 and 190 more/)
})

test('an edit whose result exceeds the size limit is refused, and an edit whose result has exactly the maximum size is applied', () => {
  const grow = (bytesMax: number) => applyEdit('äa\n', { old: 'a', new: 'öö' }, bytesMax)
  assert.equal(grow(7).ok, true)
  assert.deepEqual(grow(6).ok ? null : (grow(6) as { code: string }).code, 'too_large')
})

/** Texts and patterns for which a naive comparison at every place is quadratic. */
const REPEATING: [name: string, text: (n: number) => string, old: (n: number) => string][] = [
  ['one letter', (n) => 'a'.repeat(n), (n) => `${'a'.repeat(n / 2)}b`],
  [
    'one letter, with old text that differs at its start',
    (n) => 'a'.repeat(n),
    (n) => `b${'a'.repeat(n / 2)}`,
  ],
  ['one line', (n) => 'x\n'.repeat(n / 2), () => `${' x\n'.repeat(999)}y`],
  ['lines at two indentations', (n) => 'x\n x\n'.repeat(n / 5), () => `${' x\n'.repeat(998)}y\n`],
  ['blank lines', (n) => '\n'.repeat(n), () => `${'\n'.repeat(998)}y\n`],
]

for (const [name, text, old] of REPEATING) {
  test(`an edit in a text of ${name} takes time in proportion to the length of the text`, () => {
    // Edits texts of `n` characters, 200,000 characters in total. The fastest of seven rounds counts, because a garbage collection of
    // the whole test process may fall into any round.
    const took = (n: number) => {
      const [file, request] = [text(n), { old: old(n), new: 'z' }]
      const round = () => {
        for (let edited = 0; edited < 200_000; edited += n) assert.equal(applyEdit(file, request).ok, false)
      }
      return Math.min(...Array.from({ length: 7 }, () => cpuMs(round)))
    }
    const [short, long] = [took(20_000), took(200_000)]
    // One long text may take about as long as ten short texts. Quadratic work would take ten times as long.
    assert.ok(long < 4 * Math.max(short, 10), `${short} ms, then ${long} ms`)
  })
}
