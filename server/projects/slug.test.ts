import assert from 'node:assert/strict'
import { test } from 'node:test'
import { availableSlug, slugOf, slugProblem } from './slug.ts'

test('a slug is made from any name, even one without a Latin letter', () => {
  assert.equal(slugOf('Plants in my Office!'), 'plants-in-my-office')
  assert.equal(slugOf('Übergrößenträger'), 'uebergroessentraeger')
  assert.equal(slugOf('🌵'), 'untitled-project')
  assert.equal(slugOf('a'), 'a-app')
  for (const name of ['My preview', 'x'.repeat(200), 'the-live', '  --  ', 'Ünïcödé Ltd'])
    assert.equal(slugProblem(slugOf(name)), null, name)
})

test('a slug with a reserved ending, wrong characters or a wrong length is refused with its reason', () => {
  assert.match(slugProblem('shop-live') ?? '', /must not end in -live/)
  assert.match(slugProblem('Shop') ?? '', /lowercase/)
  assert.match(slugProblem('a--b') ?? '', /single dashes/)
  assert.match(slugProblem('ab') ?? '', /3 to 50/)
  assert.equal(slugProblem('shop-2'), null)
})

test('a slug that is already taken gets the next free number as its suffix', () => {
  assert.equal(availableSlug('shop', new Set(['shop', 'shop-2'])), 'shop-3')
})
