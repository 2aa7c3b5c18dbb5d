import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
// This module clears the storage after every test.
import '../testing/console.tsx'
import { clearDrafts, onDraftsCleared, readDraft, storeDraft } from './drafts.ts'

describe('unsent input of the console', () => {
  test('a draft is stored for its own field only, and an emptied draft is removed', () => {
    storeDraft('a shop', 'plan', 'prj_1')
    assert.equal(readDraft('plan', 'prj_1'), 'a shop')
    assert.equal(readDraft('plan', 'prj_2'), '')
    assert.equal(readDraft('ticket', 'prj_1'), '')
    storeDraft('', 'plan', 'prj_1')
    assert.equal(readDraft('plan', 'prj_1'), '')
    assert.equal(localStorage.length, 0)
  })

  test('a draft of 262,144 characters is stored, and a longer draft is not stored and removes the earlier draft', () => {
    storeDraft('x'.repeat(262_144), 'plan', 'prj_1')
    assert.equal(readDraft('plan', 'prj_1').length, 262_144)
    storeDraft('x'.repeat(262_145), 'plan', 'prj_1')
    assert.equal(readDraft('plan', 'prj_1').length, 0)
  })

  test('a sign-out removes every draft, in storage and in memory, and nothing else', () => {
    let forgotten = 0
    onDraftsCleared(() => (forgotten += 1))
    localStorage.setItem('slipway.theme', 'dark')
    storeDraft('a shop', 'plan', 'prj_1')
    storeDraft('a title', 'ticket', 'prj_1')
    clearDrafts()
    assert.equal(readDraft('plan', 'prj_1') + readDraft('ticket', 'prj_1'), '')
    assert.equal(localStorage.getItem('slipway.theme'), 'dark')
    assert.equal(forgotten, 1)
  })
})
