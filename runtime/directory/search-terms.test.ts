import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { after, describe, test } from 'node:test'
import * as fc from 'fast-check'
import type { FieldSpec } from '../kernel/manifest.ts'
import { foldText } from '../kernel/fold.ts'
import { ftsQueryOf, scopeOf, searchedFields, searchText, textFields, wordsOf } from './search-terms.ts'

describe('the words of a search', () => {
  const db = new DatabaseSync(':memory:')
  db.exec(
    "create virtual table search using fts5 (scope, text, tokenize='porter unicode61 remove_diacritics 2')",
  )
  const add = db.prepare('insert into search values (?, ?)')
  const ask = db.prepare('select text from search where search match ?')
  after(() => db.close())

  /** Returns which of the texts a search for `q` finds. */
  function findTexts(texts: readonly string[], q: string, collection = 'notes'): string[] {
    db.exec('delete from search')
    for (const text of texts) add.run(scopeOf('notes'), text)
    const match = ftsQueryOf(collection, q)
    return match === null ? [] : ask.all(match).map((row) => row['text'] as string)
  }

  test('every word of a search must match, the last word as a prefix', () => {
    const texts = ['a red tulip', 'a red rose', 'a tulip in red soil']
    assert.deepEqual(findTexts(texts, 'red tul'), ['a red tulip', 'a tulip in red soil'])
    assert.deepEqual(findTexts(texts, 'tul red'), [])
    assert.deepEqual(findTexts(texts, 'blue tulip'), [])
  })

  test('a search ignores case, accents and word endings', () => {
    assert.deepEqual(findTexts(['Café Crème'], 'CAFE creme'), ['Café Crème'])
    assert.deepEqual(findTexts(['watering plants'], 'watered plant'), ['watering plants'])
    assert.deepEqual(findTexts(['東京 タワー'], '東京'), ['東京 タワー'])
  })

  test("a search finds only records of its collection, and the index's internal collection word cannot be searched for", () => {
    assert.deepEqual(findTexts(['a tulip'], 'tulip', 'trees'), [])
    assert.deepEqual(findTexts(['a tulip'], scopeOf('notes')), [])
  })

  test('search input is read as plain words, never as operators of the full-text index', () => {
    const hostile = fc.constantFrom(
      '"',
      '*',
      'OR',
      'NOT',
      'NEAR(',
      ')',
      ':',
      '^',
      '-',
      'text:',
      'scope',
      '{',
      '\0',
    )
    const input = fc.oneof(
      fc.string(),
      fc.string({ unit: 'grapheme' }),
      fc.array(fc.oneof(hostile, fc.string({ maxLength: 3 }))).map((all) => all.join(' ')),
    )
    fc.assert(
      fc.property(input, (q) => {
        const match = ftsQueryOf('notes', q)
        assert.equal(match === null, wordsOf(q).length === 0)
        if (match !== null) ask.all(match)
      }),
    )
    assert.deepEqual(findTexts(['a rose', 'a tulip'], 'rose OR tulip'), [], 'OR is a word')
    assert.equal(ftsQueryOf('notes', ' "*-" '), null)
  })

  test('a record is found by each word of its indexed text', () => {
    fc.assert(
      fc.property(
        fc.array(fc.stringMatching(/^[a-zäéß0-9]{1,8}$/), { minLength: 1, maxLength: 6 }),
        (words) => {
          for (const word of words) assert.equal(findTexts([words.join(', ')], word).length, 1, word)
        },
      ),
      { numRuns: 50 },
    )
  })

  test('words of a search after the sixteenth are ignored', () => {
    const words = Array.from({ length: 20 }, (_, at) => `w${at}`)
    assert.deepEqual(wordsOf(words.join(' ')), words.slice(0, 16))
  })

  test('normalizing a text for search keeps letters of other scripts, and is idempotent', () => {
    assert.equal(foldText('ÉCOLE Ångström'), 'ecole angstrom')
    assert.equal(foldText('й'), 'й', 'a letter of its own, no accent')
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Za-zÀ-ž ]*$/), (text) => {
        assert.equal(foldText(foldText(text)), foldText(text))
      }),
    )
  })

  test('texts and numbers of searchable fields are indexed, and all text fields when none is searchable', () => {
    const text: FieldSpec = { type: 'text' }
    const fields = {
      name: { ...text, search: true },
      size: { type: 'number' as const, search: true },
      note: text,
      kind: { type: 'enum' as const },
      done: { type: 'boolean' as const },
    }
    assert.deepEqual(searchedFields(fields), ['name', 'size'])
    assert.deepEqual(textFields(fields), ['name', 'note', 'kind'])
    assert.equal(
      searchText(['name', 'size', 'done', 'none'], { name: 'Fern', size: 5, done: true }),
      'Fern\n5',
    )
    assert.equal(searchText(['name'], { name: ['a', 'b', null] }), 'a\nb')
  })
})
