import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sourceAt } from './source-at.ts'

const change = (path: string, status: 'added' | 'modified' | 'removed', after: string | null) => ({
  path,
  status,
  added: 1,
  removed: 1,
  before: 'x',
  after,
})

test('the files of an earlier version are the newest files with the diff applied', () => {
  const newest = { 'a.ts': 'new', 'b.ts': 'same', 'c.ts': 'came later' }
  const files = sourceAt(newest, {
    files: [
      change('a.ts', 'modified', 'old'),
      change('c.ts', 'removed', null),
      change('d.ts', 'added', 'was there'),
      change('e.bin', 'added', null),
    ],
  })
  assert.deepEqual(Object.fromEntries(files), {
    'a.ts': 'old',
    'b.ts': 'same',
    'd.ts': 'was there',
    'e.bin': null,
  })
})
