import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { defaultFields, isKnownNoun } from './lexicon.ts'
import { appIdentityOf } from '../writing/look.ts'
import {
  unsupportedWordIn,
  correctSpelling,
  isAdjective,
  isFieldWord,
  needsLiveData,
  isVague,
} from './vocabulary.ts'

const TEXT = { type: 'text', max: 200 } as const
const LONG = { type: 'text', as: 'long', max: 5000 } as const
/** Words that every JavaScript object has as properties. */
const INHERITED = ['constructor', 'toString', 'valueOf', 'hasOwnProperty', '__proto__']

describe('the vocabulary of the scaffold', () => {
  test('misspelled words of a request are corrected in upper or lower case, and only as whole words', () => {
    assert.deepEqual(
      ['Adress and ADRESS', 'readressed', 'wich', 'sandwich', ...INHERITED].map(correctSpelling),
      ['address and address', 'readressed', 'which', 'sandwich', ...INHERITED],
    )
  })

  test('the first word that the scaffold cannot build, such as weather, is found, but only as a whole word', () => {
    assert.deepEqual(
      [
        'Show the Weather and news',
        'a stock price',
        'best before date',
        'best books',
        'a classified ad',
        'books',
        '',
        ...INHERITED,
      ].map(unsupportedWordIn),
      ['weather', 'stock price', null, 'best', null, null, null, ...INHERITED.map(() => null)],
    )
  })

  test('a request counts as vague when none of its words names a subject', () => {
    assert.deepEqual(
      [
        'Make me something nice',
        'an APP for my company, please!',
        '',
        '...',
        'Make me books',
        'constructor',
      ].map(isVague),
      [true, true, true, true, false, false],
    )
  })

  test('adjectives are distinguished from nouns with the same endings', () => {
    assert.deepEqual(
      ['colorful', 'useless', 'painted', 'quickly', 'bed', 'vegetable', 'fish', 'book', ...INHERITED].map(
        isAdjective,
      ),
      [true, true, true, true, false, false, false, false, ...INHERITED.map(() => false)],
    )
  })

  test('words for live data and for fields are recognized, and words such as "constructor" are not mistaken for them', () => {
    assert.deepEqual(
      [
        needsLiveData('the WEATHER here'),
        needsLiveData('whether'),
        isFieldWord('price'),
        isFieldWord('Price'),
        ...INHERITED.map(isFieldWord),
      ],
      [true, false, true, false, ...INHERITED.map(() => false)],
    )
  })
})

describe('the usual fields of a noun', () => {
  test('a phrase whose last word is a known noun, in singular or plural and in any case, is a known noun', () => {
    assert.deepEqual(
      ['books', 'my old Books', 'person', 'people', 'stories', '', ' ', ...INHERITED].map(isKnownNoun),
      [true, true, true, true, false, false, false, ...INHERITED.map(() => false)],
    )
  })

  test("a list of a known noun gets that noun's fields, and any other list the fields name and notes", () => {
    assert.deepEqual(defaultFields('note'), { title: TEXT, body: LONG })
    for (const noun of ['gizmo', '', ...INHERITED])
      assert.deepEqual(defaultFields(noun), { name: TEXT, notes: LONG }, noun)
  })
})

describe('the look of a new app', () => {
  const lookOf = (collection: string) =>
    appIdentityOf({ collection, title: 'x', fields: {}, hasOwnFields: true }).look

  test("a list's palette and icon come from the last word in its name that has them", () => {
    assert.deepEqual(
      [lookOf('plants'), lookOf('teamLunches'), lookOf('tasks'), lookOf('games')],
      [
        { palette: 'forest', icon: 'leaf' },
        { palette: 'clay', icon: 'plate' },
        { palette: 'teal', icon: 'check' },
        { palette: 'plum', icon: 'game' },
      ],
    )
  })

  test('a list without a known word always gets the same palette, and no icon', () => {
    for (const name of ['gizmos', 'constructors', 'valueOfs', 'größen']) {
      const look = lookOf(name)
      assert.deepEqual([look, typeof look.palette, look.icon], [lookOf(name), 'string', undefined], name)
    }
  })

  test('the description of a new list names its first four fields in words, and has at most 160 characters', () => {
    const fields = { customerName: TEXT, dueDate: TEXT, price: TEXT, paid: TEXT, notes: TEXT }
    const orders = appIdentityOf({ collection: 'orders', title: 'Orders', fields, hasOwnFields: true })
    assert.deepEqual(
      [orders.name, orders.description],
      ['Orders', 'Orders: customer name, due date, price, paid.'],
    )
    const long = Object.fromEntries([1, 2, 3, 4].map((at) => [`${'a'.repeat(39)}${at}`, TEXT]))
    assert.equal(
      appIdentityOf({ collection: 'orders', title: 'Orders', fields: long, hasOwnFields: true }).description
        .length,
      160,
    )
  })
})
