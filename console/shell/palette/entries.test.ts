import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type PaletteEntry, type Group, groupEntries, searchEntries, nextIndex } from './entries.ts'

const entryOf = (label: string, part: Partial<PaletteEntry> = {}): PaletteEntry => ({
  id: label,
  group: 'actions',
  label,
  icon: null,
  ...part,
})
const labelsOf = (entries: PaletteEntry[]) => entries.map(({ label }) => label)

describe('matching entries of the palette', () => {
  const all = [
    entryOf('Open the relay'),
    entryOf('Set up email', { keywords: 'mail mailbox' }),
    entryOf('Email'),
    entryOf('Ship project'),
  ]

  test('palette entries that begin with the search text come first, then entries with another word that begins with it', () => {
    assert.deepEqual(labelsOf(searchEntries([entryOf('Female'), ...all], 'ema')), [
      'Email',
      'Set up email',
      'Female',
    ])
  })

  test('the palette finds an entry by several words in any order, and by keywords that are not shown', () => {
    assert.deepEqual(labelsOf(searchEntries(all, 'project ship')), ['Ship project'])
    assert.deepEqual(labelsOf(searchEntries(all, 'mailbox')), ['Set up email'])
  })

  test('an empty search text lists all palette entries in their order', () => {
    assert.deepEqual(labelsOf(searchEntries(all, '  ')), labelsOf(all))
  })

  test('the palette matches the search text literally, not as a regular expression', () => {
    assert.deepEqual(searchEntries(all, '.*'), [])
  })
})

test("the palette's groups have a fixed order and are left out when they are empty", () => {
  const of = (group: Group) => entryOf(group, { group })
  const parts = groupEntries([of('places'), of('tickets'), of('actions')])
  assert.deepEqual(
    parts.map(({ group }) => group),
    ['actions', 'tickets', 'places'],
  )
})

test('the down arrow key moves from the last palette entry to the first, and the up arrow key from the first to the last', () => {
  assert.deepEqual(
    [nextIndex(2, 1, 3), nextIndex(0, -1, 3), nextIndex(-1, 1, 3), nextIndex(0, 1, 0)],
    [0, 2, 0, -1],
  )
})
