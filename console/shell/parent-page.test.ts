import assert from 'node:assert/strict'
import { test } from 'node:test'
import { href } from '../routes.ts'
import { parentPage } from './parent-page.ts'

test('the parent page is one level up within a project and otherwise the list of projects, which itself has no parent', () => {
  const steps: [from: string, to: string | null][] = [
    [href.collection('prj_1', 'plants').split('?')[0] ?? '', href.capabilities('prj_1')],
    [href.capabilities('prj_1'), href.project('prj_1')],
    [href.project('prj_1'), href.projects()],
    [href.keys(), href.projects()],
    [href.activity(), href.projects()],
    [href.projects(), null],
  ]
  for (const [from, to] of steps) assert.equal(parentPage(from), to)
})
