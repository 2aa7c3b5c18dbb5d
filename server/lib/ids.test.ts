import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isId, newId, uuidAfter } from './ids.ts'

test('an id is its prefix and 26 characters, and an id created in a later millisecond sorts later', () => {
  const first = newId('prj')
  const madeAt = Date.now()
  while (Date.now() <= madeAt);
  const second = newId('prj')
  assert.ok(isId('prj', first) && isId('prj', second))
  assert.ok(first < second)
})

test('a job id sorts after the previous one, even within the same millisecond and after the clock was set back by years', () => {
  const ids = ['']
  for (let n = 0; n < 1000; n++) ids.push(uuidAfter(ids.at(-1) ?? ''))
  assert.deepEqual([...new Set(ids)].toSorted(), ids)
  assert.match(ids.at(-1) ?? '', /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  assert.equal(uuidAfter('0fffffff-ffff-7fff-bfff-0000000000ff'), '0fffffff-ffff-7fff-bfff-000000000100')
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
