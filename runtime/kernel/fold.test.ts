import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { describe, test } from 'node:test'
import { foldText } from './fold.ts'

/** Blocks with the letters of European languages: Latin, Greek and Cyrillic. */
const BLOCKS = [
  [0xc0, 0x24f],
  [0x370, 0x4ff],
  [0x1e00, 0x1eff],
] as const
/** Letters used only in old prints and formulas. The directory's index normalizes them, and `foldText` does not. */
const UNUSUAL_LETTERS = 'ſẛϐϑϕϖϰϱϵͿ\u0374'

const letters = BLOCKS.flatMap(([from, to]) =>
  Array.from({ length: to - from + 1 }, (_, i) => String.fromCodePoint(from + i)),
).filter((char) => /\p{L}/u.test(char) && !UNUSUAL_LETTERS.includes(char))

/** Returns each letter as the search index of the directory stores it. */
function indexedForms(): string[] {
  const db = new DatabaseSync(':memory:')
  db.exec(`create virtual table texts using fts5 (text, tokenize = 'unicode61 remove_diacritics 2');
    create virtual table terms using fts5vocab (texts, instance)`)
  const insert = db.prepare('insert into texts (text) values (?)')
  for (const letter of letters) insert.run(letter)
  return db
    .prepare('select term from terms order by doc')
    .all()
    .map(({ term }) => String(term))
}

describe('a text that is normalized for a search', () => {
  test('a search in the browser treats the same European letters as equal as the search index of the directory does', () => {
    const indexed = indexedForms()
    assert.equal(indexed.length, letters.length)
    const different = letters.filter((letter, i) => foldText(letter) !== foldText(indexed[i] ?? ''))
    assert.deepEqual(different, [])
  })

  test('a search finds a text in capitals, without its accents, and with accents as separate characters', () => {
    for (const [text, ...typed] of [
      ['Café Zoë', 'cafe zoe', 'CAFÉ ZOE', 'Cafe\u0301'],
      ['Łódź Český Ñandú', 'Łodz', 'cesky', 'nandu'],
      ['İstanbul', 'istanbul', 'ISTANBUL'],
      ['Việt Nam', 'viet nam'],
    ] as const)
      for (const query of typed) assert.ok(foldText(text).includes(foldText(query)), query)
  })

  test('a Greek word is found by its beginning, even if the typed text ends with a sigma, whose final form differs', () => {
    assert.ok(foldText('Πασχάλης').startsWith(foldText('ΠΑΣ')))
    assert.ok(foldText('ΠΑΣΧΑΛΗΣ').endsWith(foldText('ης')))
  })

  test('a mark that belongs to a letter, as in the Cyrillic й and the Japanese が, is not removed for a search', () => {
    assert.notEqual(foldText('й'), foldText('и'))
    assert.notEqual(foldText('が'), foldText('か'))
    assert.equal(foldText('が'), foldText('か\u3099'))
  })

  test('a text that was normalized for a search stays the same when it is normalized again', () => {
    for (const letter of [...letters, 'ẞ', 'ΟΔΟΣ', 'ǅ', 'ﬁ'])
      assert.equal(foldText(foldText(letter)), foldText(letter), letter)
  })
})
