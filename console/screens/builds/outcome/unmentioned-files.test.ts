import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { FileRow } from '../../../state/builds/build-state.ts'
import { unmentionedFiles } from './unmentioned-files.ts'

const fileRow = (path: string, part: Partial<FileRow> = {}): FileRow => ({
  path,
  op: 'edit',
  added: 1,
  removed: 1,
  ...part,
})
const unnamedFiles = (files: FileRow[], words: string) => [...unmentionedFiles(files, words)]

describe('changed files that the ticket does not mention', () => {
  test('a changed file is listed as unrelated to the ticket when its path and the ticket text share no word', () => {
    const files = [
      fileRow('web/pages/PlantList.tsx'),
      fileRow('web/pages/Contacts.tsx'),
      fileRow('shared/rooms.ts'),
    ]
    assert.deepEqual(unnamedFiles(files, 'Show plants that are late, by room'), ['web/pages/Contacts.tsx'])
  })

  test('a word of the ticket matches a path in singular or plural, in lower or upper case', () => {
    assert.deepEqual(unnamedFiles([fileRow('web/pages/Categories.tsx')], 'Add a CATEGORY'), [])
    assert.deepEqual(unnamedFiles([fileRow('server/glass.ts')], 'glass'), [])
  })

  test('new files and common files such as app.json are not listed as unrelated to the ticket', () => {
    const files = [
      fileRow('web/pages/Contacts.tsx', { op: 'write', removed: 0 }),
      fileRow('app.json'),
      fileRow('web/App.tsx'),
      fileRow('web/pages/Home.tsx', { op: 'delete' }),
      fileRow('public/icon.svg'),
    ]
    assert.deepEqual(unnamedFiles(files, 'plants'), [])
    assert.deepEqual(unnamedFiles([fileRow('web/pages/Contacts.tsx', { op: 'write' })], 'plants'), [
      'web/pages/Contacts.tsx',
    ])
    assert.deepEqual(unnamedFiles([fileRow('web/pages/Contacts.tsx', { op: 'delete' })], 'plants').length, 1)
  })
})
