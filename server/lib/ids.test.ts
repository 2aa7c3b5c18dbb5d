import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isId, newId } from './ids.ts'

test('an id is its prefix and 26 characters, and one created in a later millisecond sorts later', () => {
  const first = newId('prj')
  const madeAt = Date.now()
  while (Date.now() <= madeAt);
  const second = newId('prj')
  assert.ok(isId('prj', first) && isId('prj', second))
  assert.ok(first < second)
})

test('two hundred new ids are all different', () => {
  assert.equal(new Set(Array.from({ length: 200 }, () => newId('run'))).size, 200)
})

test('a string with another prefix or length, or a character outside the id alphabet, is not a valid id of a given kind', () => {
  const id = newId('tkt')
  assert.equal(isId('prj', id), false)
  assert.equal(isId('tkt', id.replace(/.$/, 'u')), false)
  assert.equal(isId('tkt', `${id}0`), false)
})
