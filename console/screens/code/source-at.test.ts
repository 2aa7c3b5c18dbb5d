import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sourceAt } from './source-at.ts'

const fileChange = (path: string, status: 'added' | 'modified' | 'removed', after: string | null) => ({
  path,
  status,
  added: 1,
  removed: 1,
  before: 'x',
  after,
})

test('the files of an earlier version are computed from the newest files and the diff between the two versions', () => {
  const newest = { 'a.ts': 'new', 'b.ts': 'same', 'c.ts': 'came later' }
  const files = sourceAt(newest, {
    files: [
      fileChange('a.ts', 'modified', 'old'),
      fileChange('c.ts', 'removed', null),
      fileChange('d.ts', 'added', 'was there'),
      fileChange('e.bin', 'added', null),
    ],
  })
  assert.deepEqual(Object.fromEntries(files), {
    'a.ts': 'old',
    'b.ts': 'same',
    'd.ts': 'was there',
    'e.bin': null,
  })
})
