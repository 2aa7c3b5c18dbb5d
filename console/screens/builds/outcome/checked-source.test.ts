import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codeHref } from './checked-source.ts'

const changedFiles = [{ path: 'web/pages/Plants.tsx', op: 'write' as const, added: 3, removed: 0 }]

test('a link to a line of a changed file opens the file at the commit of the build', () => {
  assert.equal(
    codeHref({ projectId: 'prj_1', sha: '4f2c1ab', changed: changedFiles }, 'web/pages/Plants.tsx', 12),
    '/projects/prj_1/code?path=web%2Fpages%2FPlants.tsx&sha=4f2c1ab#L12',
  )
})

test('a build without a commit links to unchanged files, but not to changed files', () => {
  const source = { projectId: 'prj_1', sha: null, changed: changedFiles }
  assert.equal(codeHref(source, 'web/pages/Plants.tsx', 12), null)
  assert.equal(codeHref(source, 'app.json', 0), '/projects/prj_1/code?path=app.json')
})
