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

describe('matching entries of the palette', () => {
  const all = [
    entry('Open the relay'),
    entry('Set up email', { keywords: 'mail mailbox' }),
    entry('Email'),
    entry('Ship project'),
  ]

  test('matches at the beginning come first, then at the beginning of a word, then anywhere', () => {
    assert.deepEqual(labels(matching([entry('Female'), ...all], 'ema')), ['Email', 'Set up email', 'Female'])
  })

  test('several words match in any order, and keywords match that are not shown', () => {
    assert.deepEqual(labels(matching(all, 'project ship')), ['Ship project'])
    assert.deepEqual(labels(matching(all, 'mailbox')), ['Set up email'])
  })

  test('an empty text keeps all entries in their order', () => {
    assert.deepEqual(labels(matching(all, '  ')), labels(all))
  })

  test('the text is matched literally, not as a pattern', () => {
    assert.deepEqual(matching(all, '.*'), [])
  })
})

test('groups have a fixed order and are left out when they are empty', () => {
  const of = (group: Group) => entry(group, { group })
  const parts = grouped([of('places'), of('tickets'), of('actions')])
  assert.deepEqual(
    parts.map(({ group }) => group),
    ['actions', 'tickets', 'places'],
  )
})

test('the arrow keys wrap around at the ends', () => {
  assert.deepEqual([stepped(2, 1, 3), stepped(0, -1, 3), stepped(-1, 1, 3), stepped(0, 1, 0)], [0, 2, 0, -1])
})
