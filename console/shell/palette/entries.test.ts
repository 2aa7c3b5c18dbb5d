import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Entry, type Group, grouped, matching, stepped } from './entries.ts'

const entry = (label: string, part: Partial<Entry> = {}): Entry => ({
  id: label,
  group: 'actions',
  label,
  icon: null,
  ...part,
})
const labels = (entries: Entry[]) => entries.map(({ label }) => label)

describe('what was typed', () => {
  const all = [
    entry('Open the relay'),
    entry('Set up email', { keywords: 'mail mailbox' }),
    entry('Email'),
    entry('Ship project'),
  ]

  test('is found at the beginning first, then at the beginning of a word, then anywhere', () => {
    assert.deepEqual(labels(matching([entry('Female'), ...all], 'ema')), ['Email', 'Set up email', 'Female'])
  })

  test('may be several words in any order, and words that are not on screen', () => {
    assert.deepEqual(labels(matching(all, 'project ship')), ['Ship project'])
    assert.deepEqual(labels(matching(all, 'mailbox')), ['Set up email'])
  })

  test('is nothing: everything stays in its order', () => {
    assert.deepEqual(labels(matching(all, '  ')), labels(all))
  })

  test('is taken literally', () => {
    assert.deepEqual(matching(all, '.*'), [])
  })
})

test('headings come in one order and never without entries', () => {
  const of = (group: Group) => entry(group, { group })
  const parts = grouped([of('places'), of('tickets'), of('actions')])
  assert.deepEqual(
    parts.map(({ group }) => group),
    ['actions', 'tickets', 'places'],
  )
})

test('the arrows go around the ends', () => {
  assert.deepEqual([stepped(2, 1, 3), stepped(0, -1, 3), stepped(-1, 1, 3), stepped(0, 1, 0)], [0, 2, 0, -1])
})
