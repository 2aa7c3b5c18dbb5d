import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type FileDiff, undiffableReason, unshownReason } from './shown-text.ts'

describe('content that cannot be shown', () => {
  test('a binary file and a file of more than 1,000,000 characters are not shown, each with its own reason', () => {
    assert.equal(unshownReason('a\0b'), 'binary')
    assert.equal(unshownReason('x'.repeat(1_000_001)), 'large')
    assert.equal(unshownReason('x'.repeat(1_000_000)), null)
    assert.equal(unshownReason(''), null)
  })

  const file = (part: Partial<FileDiff>): FileDiff => ({
    path: 'a.ts',
    status: 'modified',
    added: 1,
    removed: 1,
    before: 'a',
    after: 'b',
    ...part,
  })

  test('an added file can be compared without an old text, a removed file without a new text, and any other file only with both', () => {
    assert.equal(undiffableReason(file({})), null)
    assert.equal(undiffableReason(file({ status: 'added', before: null })), null)
    assert.equal(undiffableReason(file({ status: 'removed', after: null })), null)
    assert.equal(undiffableReason(file({ before: null })), 'missing')
    assert.equal(undiffableReason(file({ after: null })), 'missing')
    assert.equal(undiffableReason(file({ status: 'added', before: null, after: null })), 'missing')
    assert.equal(undiffableReason(file({ before: 'a\0' })), 'binary')
  })
})
