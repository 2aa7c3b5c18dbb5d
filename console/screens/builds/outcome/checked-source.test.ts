import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codeHref } from './checked-source.ts'

const changedFiles = [{ path: 'web/pages/Plants.tsx', op: 'write' as const, added: 3, removed: 0 }]

test('a line of a file that a committed build changed links to that commit', () => {
  assert.equal(
    codeHref({ projectId: 'prj_1', sha: '4f2c1ab', changed: changedFiles }, 'web/pages/Plants.tsx', 12),
    '/projects/prj_1/code?path=web%2Fpages%2FPlants.tsx&sha=4f2c1ab#L12',
  )
})

test('a build without a commit links only to files that it did not change', () => {
  const source = { projectId: 'prj_1', sha: null, changed: changedFiles }
  assert.equal(codeHref(source, 'web/pages/Plants.tsx', 12), null)
  assert.equal(codeHref(source, 'app.json', 0), '/projects/prj_1/code?path=app.json')
})
