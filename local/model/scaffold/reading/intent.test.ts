import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ScaffoldLists } from './edits.ts'
import { readIntent } from './intent.ts'
import { FIRST_SENTENCES } from '../testing/sentences.ts'
import { plural, singular } from './words.ts'

describe('the intent of a sentence', () => {
  test('each list that the scaffold builds has exactly one required field', () => {
    const built = FIRST_SENTENCES.filter((sentence) => 'built' in sentence)
    for (const { said } of built) {
      const intent = readIntent(said)
      assert.ok(intent.kind === 'lists', said)
      for (const { fields } of intent.wanted)
        assert.equal(Object.values(fields).filter((field) => field.required === true).length, 1, said)
    }
  })

  test('the scaffold recognizes a request after 240 characters of other text, but not after 24,000 characters', () => {
    const wish = 'Track plants: name, room'
    const name = { type: 'text', max: 200, required: true }
    const fields = { name, room: { type: 'text', max: 200 } }
    const plants = { collection: 'plants', title: 'Plants', fields, hasOwnFields: true }
    assert.deepEqual(readIntent(`${'It is fine. '.repeat(20)}${wish}`), { kind: 'lists', wanted: [plants] })
    assert.deepEqual(readIntent(`${'It is fine. '.repeat(2000)}${wish}`), { kind: 'beyond' })
  })

  test('a request that names only an adjective or a color adds no list', () => {
    for (const said of ['Track pink', 'Log beautiful', 'Make the header pink', 'keep it tidy'])
      assert.deepEqual(readIntent(said), { kind: 'beyond' }, said)
    assert.deepEqual(readIntent('A list of nice'), { kind: 'vague' })
  })

  test('an existing list gets only the requested fields that it lacks', () => {
    const fields = { name: { type: 'text', required: true }, due: { type: 'date' } } as const
    const lists: ScaffoldLists = {
      plants: { title: 'Plants', fields },
    }
    assert.deepEqual(readIntent('Track plants: name, room, photo', lists), {
      kind: 'more-fields',
      collection: 'plants',
      fields: { room: { type: 'text', max: 200 }, photo: { type: 'file' } },
    })
    assert.deepEqual(readIntent('Add a field due', lists), { kind: 'there', what: 'plants' })
    assert.deepEqual(readIntent('Add a field due'), { kind: 'beyond' })
    assert.deepEqual(readIntent('Stop the mails', lists), {
      kind: 'stop',
      is: 'mail',
      collections: ['plants'],
    })
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
