import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { FileRow } from '../follow/build-state.ts'
import { filesNotNamed } from './named-files.ts'

const row = (path: string, part: Partial<FileRow> = {}): FileRow => ({
  path,
  op: 'edit',
  added: 1,
  removed: 1,
  ...part,
})
const outside = (files: FileRow[], words: string) => [...filesNotNamed(files, words)]

describe('changed files that the ticket does not mention', () => {
  test("a changed file whose path has no word of the ticket's text is marked", () => {
    const files = [row('web/pages/PlantList.tsx'), row('web/pages/Contacts.tsx'), row('shared/rooms.ts')]
    assert.deepEqual(outside(files, 'Show plants that are late, by room'), ['web/pages/Contacts.tsx'])
  })

  test('a word of the ticket matches a path in singular, plural and any case', () => {
    assert.deepEqual(outside([row('web/pages/Categories.tsx')], 'Add a CATEGORY'), [])
    assert.deepEqual(outside([row('server/glass.ts')], 'glass'), [])
  })

  test('new files and files that every change touches are not marked as outside the ticket', () => {
    const files = [
      row('web/pages/Contacts.tsx', { op: 'write', removed: 0 }),
      row('app.json'),
      row('web/App.tsx'),
      row('web/pages/Home.tsx', { op: 'delete' }),
      row('public/icon.svg'),
    ]
    assert.deepEqual(outside(files, 'plants'), [])
    assert.deepEqual(outside([row('web/pages/Contacts.tsx', { op: 'write' })], 'plants'), [
      'web/pages/Contacts.tsx',
    ])
    assert.deepEqual(outside([row('web/pages/Contacts.tsx', { op: 'delete' })], 'plants').length, 1)
  })
})
