import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  cleanArguments,
  cleanText,
  TextPieces,
  toWellFormedTexts,
  usableId,
  usableName,
} from './wire-text.ts'

const nested = (depth: number): unknown => (depth === 0 ? 'end' : { in: nested(depth - 1) })

describe('texts of a model', () => {
  test('a text of a model is stored without NUL characters and with each lone surrogate replaced', () => {
    assert.equal(cleanText('a\0b\0'), 'ab')
    assert.equal(cleanText('\ud83d and \ude00'), '\ufffd and \ufffd')
    assert.equal(cleanText('whole 😀 stays'), 'whole 😀 stays')
    assert.equal(cleanText(''), '')
  })

  test('a character whose halves arrive in two pieces of a text is whole in the joined text, wherever the cut is', () => {
    const text = 'a😀b🏁'
    for (let at = 0; at <= text.length; at++) {
      const pieces = new TextPieces()
      assert.equal(pieces.take(text.slice(0, at)) + pieces.take(text.slice(at)), text, `cut at ${at}`)
    }
    const single = new TextPieces()
    assert.equal(Array.from({ length: text.length }, (_, at) => single.take(text.charAt(at))).join(''), text)
  })

  test('half a character that the next piece does not complete is replaced, and pieces never contain half a character', () => {
    const pieces = new TextPieces()
    assert.deepEqual(
      ['a\ud83d', 'b', '\ude00', '\0c'].map((piece) => pieces.take(piece)),
      ['a', '\ufffdb', '\ufffd', 'c'],
    )
  })

  test('a message for a provider has well-formed texts at every depth, and its other values are unchanged', () => {
    const bytes = new Uint8Array([1, 2])
    const url = new URL('https://example.test/a')
    assert.deepEqual(
      toWellFormedTexts({
        role: 'user',
        content: [
          { type: 'text', text: 'cut \ud83d' },
          { data: bytes, url, n: 1, none: null, flag: true },
        ],
      }),
      {
        role: 'user',
        content: [
          { type: 'text', text: 'cut \ufffd' },
          { data: bytes, url, n: 1, none: null, flag: true },
        ],
      },
    )
    const [kept] = toWellFormedTexts([bytes])
    assert.equal(kept, bytes, 'bytes of a file are not copied')
  })

  test('an id of a tool call is used only if every provider accepts it: printable ASCII of at most 200 characters', () => {
    assert.equal(usableId('call_1 a~'), 'call_1 a~')
    assert.equal(usableId('x'.repeat(200)), 'x'.repeat(200))
    for (const id of ['', 'x'.repeat(201), 'a\nb', 'é', 'a\0', '😀']) assert.equal(usableId(id), '', id)
  })

  test('the name of a called tool has at most 64 characters and no NUL', () => {
    assert.equal(usableName('read_\0file'), 'read_file')
    assert.equal(usableName('x'.repeat(100)).length, 64)
  })
})

describe('arguments of a tool call', () => {
  test('arguments without NUL and lone surrogates are returned unchanged and without a problem', () => {
    const args = { path: 'web/a.ts', edits: [{ find: 'ä', put: '😀' }], n: 1.5, none: null, flag: false }
    assert.deepEqual(cleanArguments(args), { args, problem: null })
    for (const plain of ['text', 7, null, undefined, true]) assert.equal(cleanArguments(plain).args, plain)
  })

  test('NUL in an argument is a problem that names the argument, because a path without its NUL would name another file', () => {
    const { args, problem } = cleanArguments({ path: 'web/a\0.ts', edits: ['b\0'] })
    assert.deepEqual(args, { path: 'web/a.ts', edits: ['b'] })
    assert.equal(problem, 'path: must not contain NUL (U+0000)', 'the first problem is reported')
    assert.match(cleanArguments({ edits: [{ find: 'x\0' }] }).problem ?? '', /^edits: must not contain NUL/)
    assert.match(cleanArguments({ 'na\0me': 1 }).problem ?? '', /^arguments: must not contain NUL/)
    assert.match(cleanArguments('\0').problem ?? '', /^arguments: must not contain NUL/)
  })

  test('a lone surrogate in an argument is replaced and is no problem', () => {
    assert.deepEqual(cleanArguments({ text: 'cut \ud83d' }), { args: { text: 'cut \ufffd' }, problem: null })
  })

  test('arguments may be nested 32 levels deep, and what is deeper is dropped and named as a problem', () => {
    assert.equal(cleanArguments(nested(32)).problem, null)
    const { args, problem } = cleanArguments(nested(33))
    assert.equal(problem, 'in: is nested more than 32 levels deep')
    assert.ok(!JSON.stringify(args).includes('end'))
  })

  test('an argument named like the prototype of objects stays an ordinary argument', () => {
    const { args } = cleanArguments(JSON.parse('{"__proto__":{"isAdmin":true}}'))
    assert.deepEqual(Object.keys(args as object), ['__proto__'])
    assert.equal((args as { isAdmin?: boolean }).isAdmin, undefined)
  })
})
