import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readIntent } from './intent.ts'
import { FIRST_SENTENCES } from './testing/sentences.ts'
import { plural, singular } from './words.ts'

describe('the intent of a sentence', () => {
  test('each new list has exactly one required field', () => {
    const built = FIRST_SENTENCES.filter((sentence) => 'built' in sentence)
    for (const { said } of built) {
      const intent = readIntent(said)
      assert.ok(intent.kind === 'lists', said)
      for (const { fields } of intent.wanted)
        assert.equal(Object.values(fields).filter((field) => field.required === true).length, 1, said)
    }
  })

  test('a request after 240 characters of other text is recognized, and one after 24,000 characters is not', () => {
    const wish = 'Track plants: name, room'
    assert.equal(readIntent(`${'It is fine. '.repeat(20)}${wish}`).kind, 'lists')
    assert.equal(readIntent(`${'It is fine. '.repeat(2000)}${wish}`).kind, 'beyond')
  })

  test('a prompt that contains only an adjective or a colour adds no list of records to the app', () => {
    for (const said of [
      'Track pink',
      'Log beautiful',
      'Make the header pink',
      'A list of nice',
      'keep it tidy',
    ])
      assert.notEqual(readIntent(said).kind, 'lists', said)
  })

  test('the plural and the singular of a noun are derived from each other', () => {
    const pairs = [
      'plant plants',
      'company companies',
      'person people',
      'box boxes',
      'address addresses',
      'bus buses',
    ]
    for (const pair of pairs) {
      const [one = '', many = ''] = pair.split(' ')
      assert.equal(plural(one), many)
      assert.equal(singular(many), one)
      assert.equal(plural(many), many)
    }
  })
})
